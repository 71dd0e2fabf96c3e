"""What OpenTofu and Terraform start."""

from tofutypes.provider import serve

from .provider import Harbor


def main() -> None:
    """Serve the provider."""
    serve(Harbor)


if __name__ == "__main__":
    main()
