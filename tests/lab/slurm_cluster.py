"""A Slurm of its own: munged, slurmctld and slurmd as plain child processes, with their ports, sockets and files in one folder."""
import ctypes
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "sinfo")
SEARCH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"  # the daemons' folder is not on everybody's PATH

# The most tasks of an array: small, so that a sweep of six needs two.
MOST_TASKS = 4

CONF = """
ClusterName=plimsoll
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
MailProg=/bin/true
MaxArraySize={most_tasks}
KillWait=30
NodeName=localhost NodeHostName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=main Nodes=localhost Default=YES MaxTime=INFINITE State=UP
"""

# Nothing here uses control groups. Named, the plugin is not detected: that looks for a file system on /sys/fs/cgroup, and
# slurmd ends where there is none (a chroot, some containers).
CGROUP_CONF = "CgroupPlugin=cgroup/v1\n"


def missing_programs():
    return [name for name in PROGRAMS if shutil.which(name, path=SEARCH) is None]


def until(condition, what, deadline=300, pause=0.05):
    """Waits for a condition and returns what it gives. The deadline means "broken", not "slow"."""
    end = time.monotonic() + deadline
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(pause)
    raise AssertionError(f"waited {deadline} s in vain: {what}")


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def die_with_parent():
    """So that nothing outlives a test that is killed (PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def command_of(process):
    try:
        return pathlib.Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def processes_with(text):
    """Ids of the processes whose command line has the text."""
    ids = (int(name) for name in os.listdir("/proc") if name.isdigit())
    return [process for process in ids if process != os.getpid() and text in command_of(process)]


def parent_of(process):
    try:
        return int(pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


class Cluster:
    """One node, two processors."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.chmod(0o755)  # munged wants its socket to be reachable
        controller_port, node_port = free_ports(2)
        self.conf = self.folder / "slurm.conf"
        self.conf.write_text(CONF.format(
            host=socket.gethostname().partition(".")[0], controller_port=controller_port, node_port=node_port,
            folder=folder, user=pwd.getpwuid(os.geteuid()).pw_name, most_tasks=MOST_TASKS, cpus=2))
        (self.folder / "cgroup.conf").write_text(CGROUP_CONF)
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM_", "SBATCH_", "OMPI_", "PMI_"))}
        self.environment = {**clean, "SLURM_CONF": str(self.conf), "PATH": SEARCH}
        self.held_since = {}  # by job: when it was first seen waiting for its time
        self.daemons = {}

    def start(self):
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        self.daemon("munged", "--foreground", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                    f"--pid-file={self.folder}/munged.pid", f"--log-file={self.folder}/munged.log",
                    f"--seed-file={self.folder}/munge.seed")
        until((self.folder / "munge.socket").exists, "munged makes its socket", pause=0.01)
        self.daemon("slurmctld", "-D", "-c")
        self.start_node()

    def start_node(self):
        self.daemon("slurmd", "-D", "-N", "localhost")
        until(lambda: self.alive("slurmd") and self.node_is_up(), "the node is up")

    def node_is_up(self):
        return self.try_call("sinfo", "--noheader", "--format=%T") in ("idle", "mixed", "allocated")

    def alive(self, name):
        """True while the daemon runs; one that has ended is an error at once, with its last words."""
        code = self.daemons[name].poll()
        if code is None:
            return True
        words = (self.folder / f"{name}.out").read_text(errors="replace").splitlines()[-5:]
        raise AssertionError(f"{name} ended with exit code {code}: " + " / ".join(words))

    def start_node_after_death(self):
        """A slurmd that comes back to a node that was set DOWN."""
        self.daemon("slurmd", "-D", "-N", "localhost")
        until(lambda: self.try_call("scontrol", "update", "NodeName=localhost", "State=RESUME") == ""
              and self.node_is_up(), "the node is back", pause=0.3)

    def daemon(self, name, *arguments):
        with open(self.folder / f"{name}.out", "ab") as out:
            self.daemons[name] = subprocess.Popen([shutil.which(name, path=SEARCH), *arguments], env=self.environment, stdout=out,
                                                  stderr=out, stdin=subprocess.DEVNULL, preexec_fn=die_with_parent)

    def helpers(self):
        """The slurmstepd of each task that runs."""
        parents = {parent_of(process) for process in processes_with("sweep task") if str(self.folder) in command_of(process)}
        return [process for process in parents if "slurmstepd" in command_of(process)]

    def kill_node(self):
        """kill -9 of slurmd and of its helpers; the tasks themselves live on as orphans."""
        victims = [self.daemons["slurmd"].pid, *self.helpers()]
        for process in victims:
            os.kill(process, signal.SIGKILL)
        self.daemons["slurmd"].wait()
        until(lambda: not self.helpers(), "the helpers are gone")
        return len(victims)

    def call(self, *command):
        return subprocess.run(command, env=self.environment, check=True, capture_output=True, text=True).stdout.strip()

    def try_call(self, *command):
        return subprocess.run(command, env=self.environment, check=False, capture_output=True, text=True).stdout.strip()

    def hurry(self):
        """Slurm holds what was requeued back for two minutes; nobody has to wait for that here. Two seconds it needs: what
        starts in the second in which its last session ended is refused by slurmd ("already killed") and lost."""
        for line in self.try_call("squeue", "--noheader", "--array", "--states=PENDING", "--format=%A|%r").splitlines():
            job, _, reason = line.partition("|")
            if reason == "BeginTime" and time.monotonic() - self.held_since.setdefault(job, time.monotonic()) > 2:
                self.try_call("scontrol", "update", f"JobId={job}", "StartTime=now")
                del self.held_since[job]

    def stop(self):
        """Ends everything that knows the folder, orphans included."""
        for process in [*self.helpers(), *processes_with(str(self.folder))]:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for name in ("slurmd", "slurmctld", "munged"):
            if name in self.daemons:
                self.daemons[name].kill()
                self.daemons[name].wait()

    def logs(self):
        """The last words of daemons and tasks, for a test that failed."""
        ends = [f"--- {path.name}\n" + "\n".join(path.read_text(errors="replace").splitlines()[-15:])
                for path in sorted([*self.folder.glob("*.log"), *self.folder.glob("*/*/runs/.sweeps/*/slurm-*.log"),
                                    *self.folder.glob("*/*/runs/.sweeps/*/tasks/*.jsonl")])]
        return "\n".join(ends)
