"""The process of a provider under Terraform's core: many calls, interruptions, ends, logs."""

import os
import signal
import subprocess

import pytest

from tests.provider.live.scenarios import APPLY, messages_of, texts
from tests.provider.live.terraform import PATIENCE, Workspace, wait_for

SLOW = """
resource "harbor_dock" "fast" { name = "fast" }
resource "harbor_dock" "slow" {
  name          = "slow"
  build_seconds = 600
}
"""


def documents(workspace: Workspace, kind: str) -> int:
    return len(list((workspace.cloud / kind).glob("*.json")))


def wait_for_docks(workspace: Workspace, core: subprocess.Popen[str]) -> None:
    """Wait until both docks are there, one of which is still built."""
    wait_for(
        "no dock is built", lambda: documents(workspace, "dock") == 2 or core.poll() is not None
    )
    assert core.poll() is None, core.communicate()


def test_many_at_once(workspace: Workspace) -> None:
    workspace.configure(
        """
        resource "harbor_dock" "a" {
          count         = 50
          name          = "dock ${count.index}"
          build_seconds = 0.2
          lanes         = [{ width = 0.1 }]
        }
        resource "harbor_ship" "a" {
          count = 50
          name  = "ship ${count.index}"
          port  = "Hamburg"
          hold { tons = count.index + 0.1 }
        }
        """
    )
    workspace.apply("-parallelism=50")
    resources = {each["type"]: each["instances"] for each in workspace.state["resources"]}
    tons = sorted(float(each["attributes"]["tonnage"]) for each in resources["harbor_ship"])
    names = {each["attributes"]["name"] for each in resources["harbor_dock"]}
    assert tons == [position + 0.1 for position in range(50)]
    assert len(names) == 50
    assert documents(workspace, "dock") == 50
    workspace.do("destroy", "-auto-approve", "-parallelism=50")
    assert documents(workspace, "dock") == documents(workspace, "ship") == 0


def test_instances_are_processes_of_their_own(workspace: Workspace) -> None:
    workspace.configure(
        """
        provider "harbor" {
          alias       = "north"
          folder      = "$FOLDER/north"
          speed_limit = 30
        }
        resource "harbor_ship" "a" {
          name = "Peking"
          port = "Hamburg"
        }
        resource "harbor_ship" "b" {
          provider = harbor.north
          name     = "Peking"
          port     = "Hamburg"
        }
        """
    )
    workspace.apply()
    assert [workspace.attributes(f"harbor_ship.{name}")["speed"] for name in "ab"] == [12, 30]
    assert len(list((workspace.folder / "north" / "ship").glob("*.json"))) == 1
    assert documents(workspace, "ship") == 1


def test_an_interruption_ends_the_call_and_keeps_the_state(workspace: Workspace) -> None:
    workspace.configure(SLOW)
    with workspace.started(*APPLY) as core:
        wait_for_docks(workspace, core)
        core.send_signal(signal.SIGINT)
        out, err = core.communicate(timeout=PATIENCE)
    assert core.returncode == 1
    assert "The dock is not finished" in err, out + err
    assert workspace.instance("harbor_dock.slow")["status"] == "tainted"
    assert "status" not in workspace.instance("harbor_dock.fast")


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_a_provider_that_is_signalled_with_the_core_answers_first(
    workspace: Workspace, ending: signal.Signals
) -> None:
    """Ctrl-C in a terminal goes to all processes."""
    workspace.configure(SLOW)
    with workspace.started(*APPLY) as core:
        wait_for_docks(workspace, core)
        os.killpg(core.pid, ending)
        _, err = core.communicate(timeout=PATIENCE)
    assert "The dock is not finished" in err
    assert workspace.instance("harbor_dock.slow")["status"] == "tainted"


def test_only_the_core_interrupts(workspace: Workspace) -> None:
    workspace.configure(SLOW.replace("600", "2"))
    with workspace.started(*APPLY) as core:
        wait_for_docks(workspace, core)
        for process in workspace.processes:
            os.kill(process, signal.SIGINT)
        core.communicate(timeout=PATIENCE)
    assert core.returncode == 0


def test_no_provider_outlives_a_core_that_was_killed(workspace: Workspace) -> None:
    workspace.configure(SLOW)
    with workspace.started(*APPLY) as core:
        wait_for_docks(workspace, core)
        assert workspace.processes
        core.kill()
    wait_for("an orphan is running", lambda: not workspace.processes)


def test_a_provider_that_is_killed_is_an_error(workspace: Workspace) -> None:
    workspace.configure(SLOW)
    with workspace.started(*APPLY) as core:
        wait_for_docks(workspace, core)
        for process in workspace.processes:
            os.kill(process, signal.SIGKILL)
        _, err = core.communicate(timeout=PATIENCE)
    workspace.remove_sockets()  # which it could not do
    assert core.returncode == 1
    assert "ApplyResourceChange" in err


def test_logs(workspace: Workspace) -> None:
    workspace.configure('resource "faulty_thing" "a" { way = "loud" }', "faulty")
    log = workspace.folder / "log"
    workspace.apply(TF_LOG_PROVIDER="INFO", TF_LOG_PATH=str(log))
    lines = log.read_text().splitlines()
    logged = next(line for line in lines if "created" in line)
    assert "[INFO]" in logged
    assert all(each in logged for each in ("way=loud", "@module=faulty", "timestamp="))


def test_no_secret_is_logged(workspace: Workspace) -> None:
    workspace.configure(
        """
        resource "harbor_ship" "a" {
          name       = "Peking"
          port       = "Hamburg"
          start_code = "swordfish"
          radio_code = "swordfish"
        }
        """
    )
    log = workspace.folder / "log"
    workspace.apply(TF_LOG="TRACE", TF_LOG_PATH=str(log))
    lines = log.read_text().splitlines()
    logged = [line for line in lines if "terraform-provider-harbor:" in line or "grpc" in line]
    assert logged
    assert not [line for line in logged if "swordfish" in line]


def test_what_is_printed_does_no_harm(workspace: Workspace) -> None:
    workspace.configure('resource "faulty_thing" "a" { way = "loud" }', "faulty")
    log = workspace.folder / "log"
    ran = workspace.run(*APPLY, "-json", TF_LOG_PROVIDER="DEBUG", TF_LOG_PATH=str(log))
    assert "printed" not in texts(messages_of(ran))
    assert any(
        "[DEBUG]" in each and "printed loud" in each for each in log.read_text().splitlines()
    )


def test_tracebacks_are_logged(workspace: Workspace) -> None:
    workspace.configure('resource "faulty_thing" "a" { way = "raise" }', "faulty")
    log = workspace.folder / "log"
    workspace.run(*APPLY, TF_LOG_PROVIDER="ERROR", TF_LOG_PATH=str(log))
    logged = log.read_text()
    assert "[ERROR]" in logged
    assert (
        'raise ValueError(\\"swordfish\\")' in logged or 'raise ValueError("swordfish")' in logged
    )


def test_an_ephemeral_resource_is_renewed_while_it_is_needed(workspace: Workspace) -> None:
    workspace.configure(
        """
        ephemeral "harbor_pass" "a" {
          bearer  = "Ann"
          seconds = 1
        }
        provider "harbor" {
          alias  = "north"
          folder = ephemeral.harbor_pass.a.token == null ? "" : "$FOLDER/cloud"
        }
        resource "harbor_dock" "a" {
          provider      = harbor.north
          name          = "slow"
          build_seconds = 2
        }
        """
    )
    log = workspace.folder / "log"
    workspace.apply(TF_LOG_PROVIDER="INFO", TF_LOG_PATH=str(log))
    renewals = [line for line in log.read_text().splitlines() if "pass renewed" in line]
    assert renewals
    assert documents(workspace, "pass") == 0


def test_started_by_hand(workspace: Workspace) -> None:
    program = workspace.folder / "bin" / "terraform-provider-harbor"
    ran = subprocess.run([program], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert ran.returncode == 1
    assert "--debug" in ran.stderr
    assert not ran.stdout
