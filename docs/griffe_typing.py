"""What the reference shows where the source says it in another way.

Modules that say one thing to type checkers and do another show what they say to type checkers.
Annotations show what an alias of the library's own stands for, as the alias has no entry.
"""

import ast
from typing import Any

import griffe

ALIASES = {
    "Extra": "Mapping[str, object]",
    "Identity": "Mapping[str, Value]",
    "DefaultFactory": "Callable[[Any], object]",
    "PathLike": "str | Path",
    "RequiresReplace": "bool | Literal['if_configured'] | Callable[[Any, Any], bool]",
}
GENERIC_ALIASES = {"Result": "{0} | Awaitable[{0}]"}


class Expand(ast.NodeTransformer):
    """Replaces aliases in annotations."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return _parsed(ALIASES[node.id]) if node.id in ALIASES else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id in GENERIC_ALIASES:
            argument = ast.unparse(self.visit(node.slice))
            return _parsed(GENERIC_ALIASES[node.value.id].format(argument))
        return self.generic_visit(node)


class TypeCheckingBranch(griffe.Extension):
    """Changes a module before its objects are read."""

    def on_module_node(self, *, node: Any, **_: Any) -> None:
        for part in ast.walk(node):
            match part:
                case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                    part.orelse = []
                case ast.If(test=ast.UnaryOp(op=ast.Not(), operand=ast.Name(id="TYPE_CHECKING"))):
                    part.body = []
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    part.returns = _expanded(part.returns)
                case ast.arg():
                    part.annotation = _expanded(part.annotation)
                case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
                    pass
                case ast.AnnAssign(annotation=ast.Name(id="Final"), value=ast.Call()):
                    part.value = None  # how a constant is made is nobody's business
                case ast.AnnAssign():
                    part.annotation = Expand().visit(part.annotation)
                case _:
                    pass


def _expanded(annotation: ast.expr | None) -> Any:
    return None if annotation is None else Expand().visit(annotation)


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body
