"""
Mutates sources, and stores each that raises, hangs, gives a wrong result, or takes more than n log n time.

`python -m tools.fuzz.run --seconds 600 --target bibtex --seed 1 --out /tmp/fuzz`. The seconds are processor
seconds. Each input runs in its own process; the same seed gives the same inputs. pytest does not collect this
folder, but runs the inputs in tools/fuzz/inputs: tests/properties/test_hostile_texts.py.
"""

import argparse
import contextlib
import hashlib
import os
import random
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

from fuzz_seeds import PART, TOKENS, TOKENS_OF_ALL, make_seeds
from fuzz_targets import GROWTH, TARGETS

MAX_SECONDS = 20
"""The limit of processor seconds for one input; a longer run is reported as a hang."""

MAX_BYTES = 3 << 30


class Failure(NamedTuple):
    """The failure of an input: a short text that is equal for equal causes, and the details."""

    cause: str
    details: str


def run_in_child(check: Callable[[], None]) -> tuple[Failure | None, float]:
    """Run a check in a child process; return its failure or None, and its processor seconds."""
    read_end, write_end = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(read_end)
        _run_child(check, write_end)

    os.close(write_end)
    with os.fdopen(read_end, "rb") as pipe:
        output = pipe.read().decode("utf-8", "replace")
    _, status, usage = os.wait4(process, 0)
    seconds = usage.ru_utime + usage.ru_stime

    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        cause = f"takes more than {MAX_SECONDS} s" if name == "SIGPROF" else f"ends with {name}"
        return Failure(cause, ""), seconds
    cause, _, details = output.partition("\n")
    return (Failure(cause, details) if cause else None), seconds


def _run_child(check: Callable[[], None], write_end: int) -> None:
    """Run a check with limits, write its failure to a pipe, and end the process."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, MAX_SECONDS)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)

    message = ""
    try:
        check()
    except BaseException as error:  # each exception is a finding
        frames = [
            frame for frame in traceback.extract_tb(error.__traceback__) if "/tenure/" in frame.filename
        ]
        place = f"{Path(frames[-1].filename).name}:{frames[-1].name}" if frames else ""
        words = str(error)[:90] if type(error).__name__ == "WrongResultError" else ""
        message = f"{type(error).__name__} {place} {' '.join(words.split())}\n{traceback.format_exc()}"
    os.write(write_end, message.encode("utf-8", "replace")[:60_000])
    os._exit(0)


def mutate_source(source: str, seeds: Sequence[str], tokens: Sequence[str], rng: random.Random) -> str:
    """Return a site in a text with one to four changes in one of its files."""
    parts = PART.split(source)
    index = rng.randrange(2, len(parts), 2)
    text = parts[index]
    for _ in range(rng.randint(1, 4)):
        text = _mutate_text(text, seeds, tokens, rng)[:60_000]
    parts[index] = text if text.endswith("\n") else f"{text}\n"
    return parts[0] + "".join(
        f"-- {name} --\n{content}" for name, content in zip(parts[1::2], parts[2::2], strict=True)
    )


def _mutate_text(text: str, seeds: Sequence[str], tokens: Sequence[str], rng: random.Random) -> str:
    """Return a text with one change: a piece is removed, repeated, moved or replaced."""
    start = rng.randint(0, len(text))
    end = min(len(text), start + rng.choice((1, 1, 2, 5, 20, 100)))
    piece = text[start:end]
    token = rng.choice(tokens) if rng.random() < 0.8 else rng.choice(TOKENS_OF_ALL)
    kind = rng.randrange(9)

    if kind == 0:
        return text[:start] + text[end:]
    if kind == 1:
        return text[:start] + piece * rng.choice((2, 3, 30)) + text[end:]
    if kind == 2:
        place = rng.randint(0, len(text))
        return text[:place] + piece + text[place:]
    if kind == 3:
        return text[:start] + token * rng.choice((1, 2, 40)) + text[end:]
    if kind == 4:
        other = rng.choice(seeds)
        place = rng.randint(0, len(other))
        return text[:start] + PART.sub("", other[place : place + 200]) + text[start:]
    if kind == 5:
        lines = text.split("\n")
        line = rng.randrange(len(lines))
        lines[line] = rng.choice(("  ", "\t", "- ", "    ", "> ")) + lines[line]
        return "\n".join(lines)
    if kind == 6:
        return text[:start] + piece.swapcase()[::-1] + text[end:]
    return text[:start] + token + text[start:]


MAX_GROWTH = 2.8
"""
The limit for the ratio of the times for an input and its half; n log n gives 2.2 for the measured sizes.
"""

GROWTH_SIZES = (4_000, 8_000, 16_000, 32_000)

MIN_GROWTH_SECONDS = 0.4
"""If the largest input takes less time, its growth is not judged."""


def check_growth(function: Callable[[str], object], prefix: str, piece: str, suffix: str) -> None:
    """Raise if the time for a repeated piece grows faster than n log n."""
    seconds: list[float] = []
    for size in GROWTH_SIZES:
        text = prefix + piece * (size // len(piece)) + suffix
        start = time.process_time()
        function(text)
        seconds.append(time.process_time() - start)
    if seconds[3] > MIN_GROWTH_SECONDS and min(seconds[3] / seconds[2], seconds[2] / seconds[1]) > MAX_GROWTH:
        times = ", ".join(
            f"{size}: {second:.2f} s" for size, second in zip(GROWTH_SIZES, seconds, strict=True)
        )
        raise ArithmeticError(times)


MINIMISE_SECONDS = 60


def shorten_input(source: str, failure: Failure, target: Callable[[str], None]) -> str:
    """Return a shorter input with the same failure: remove pieces while it stays, for at most a minute."""
    end = time.monotonic() + MINIMISE_SECONDS
    size = len(source) // 2
    while size:
        start = 0
        while start < len(source) and time.monotonic() < end:
            shorter = source[:start] + source[start + size :]
            # the default binds the text of this round
            failing = run_in_child(lambda source=shorter: target(source))[0]  # type: ignore[misc]
            if failing is not None and failing.cause == failure.cause:
                source = shorter
            else:
                start += size
        size //= 2
    return source


class Fuzzer:
    """Runs one target with mutated sources, and stores each failure once."""

    def __init__(self, target: str, seed: int, folder: Path) -> None:
        self.target = target
        self.folder = folder
        self.rng = random.Random(seed)
        self.seeds = make_seeds(target)
        language = target if target in TOKENS else "yaml"
        languages = TOKENS.values() if target == "preview" else (TOKENS[language],)
        self.tokens = [token for tokens in languages for token in tokens]
        self.counts: Counter[str] = Counter()

    def run_inputs(self, seconds: float) -> float:
        """Run for a number of processor seconds; return the seconds used."""
        used = 0.0
        while used < seconds:
            is_growth = self.target in GROWTH and self.rng.random() < 0.1
            used += self._run_growth() if is_growth else self._run_input()
        return used

    def _run_input(self) -> float:
        seed = self.rng.choice(self.seeds)
        source = mutate_source(seed, self.seeds, self.tokens, self.rng)
        if self.target == "preview":
            source = f"{source}-- edited --\n{mutate_source(source, self.seeds, self.tokens, self.rng)}"
        function = TARGETS[self.target]
        failure, seconds = run_in_child(lambda: function(source))
        self.counts["inputs"] += 1
        if failure is not None and not self._is_known(failure):
            is_slow = failure.cause.startswith("takes")
            self._store_failure(failure, source if is_slow else shorten_input(source, failure, function))
        return seconds

    def _run_growth(self) -> float:
        """Measure one parser with a piece of a seed or some tokens."""
        name = self.rng.choice([*GROWTH[self.target]])
        function = GROWTH[self.target][name]
        seed = self.rng.choice(self.seeds)
        start = self.rng.randint(0, len(seed))
        texts = [
            *self.rng.sample(self.tokens, self.rng.randint(1, 3)),
            seed[start : start + self.rng.randint(1, 12)],
        ]
        piece = "".join(self.rng.sample(texts, self.rng.randint(1, len(texts))))[:60] or "a"
        prefix = self.rng.choice(("", "", self.rng.choice(self.tokens)))
        suffix = self.rng.choice(("", "\n", "x"))

        failure, seconds = run_in_child(lambda: check_growth(function, prefix, piece, suffix))
        self.counts["growth"] += 1
        if failure is not None:
            again, more_seconds = run_in_child(lambda: check_growth(function, prefix, piece, suffix))
            seconds += more_seconds
            if again is not None:
                failure = Failure(f"{failure.cause.split()[0]} {name} {piece!r}"[:100], failure.details)
                self._store_failure(failure, f"{name}: {prefix!r} + {piece!r} * n + {suffix!r}\n")
        return seconds

    def _path_of(self, failure: Failure) -> Path:
        digest = hashlib.sha256(failure.cause.encode()).hexdigest()[:10]
        return self.folder / f"{self.target}-{digest}.txt"

    def _is_known(self, failure: Failure) -> bool:
        return self._path_of(failure).exists()

    def _store_failure(self, failure: Failure, source: str) -> None:
        if not self._is_known(failure):
            self.counts["failures"] += 1
            self._path_of(failure).write_bytes(source.encode("utf-8", "surrogatepass"))
            self._path_of(failure).with_suffix(".why").write_text(
                f"{failure.cause}\n{failure.details}", "utf-8"
            )
            print(f"{self.target}: {failure.cause}", flush=True)


def main(words: Sequence[str] | None = None) -> int:
    """Run the targets that the arguments name; return 1 if a failure was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="processor seconds for each target")
    parser.add_argument("--target", choices=[*TARGETS, "all"], default="all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("fuzz-failures"))
    arguments = parser.parse_args(words)
    arguments.out.mkdir(parents=True, exist_ok=True)

    failures = 0
    for target in TARGETS if arguments.target == "all" else [arguments.target]:
        fuzzer = Fuzzer(target, arguments.seed, arguments.out)
        used = 0.0
        with contextlib.suppress(KeyboardInterrupt):
            used = fuzzer.run_inputs(arguments.seconds)
        counts = ", ".join(f"{fuzzer.counts[name]} {name}" for name in ("inputs", "growth", "failures"))
        print(f"{target}: {used:.0f} s, {counts}", flush=True)
        failures += fuzzer.counts["failures"]
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
