#!/usr/bin/env python3
"""Second verifier of the vote ledger, with Python's standard library alone.

Written from docs/ledger.md and the specifications (RFC 6962, RFC 8032, c2sp.org), not from the other verifier: what both say
was computed twice. Usage: florka_verify.py <address or folder> [--key K] [--witness K] [--memory F] [--receipt F] [--json]
Ends with 0 when all is in order, 1 when something is not, 2 when it could not read.
"""
import argparse
import base64
import binascii
import datetime
import functools
import hashlib
import http.client
import json
import os
import re
import struct
import sys
import time
import urllib.error
import urllib.request

# --- Ed25519 (RFC 8032, 5.1), verification alone -------------------------------------------------------------------------
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


def recover_x(y, sign):
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if square == 0:
        return None if sign else 0
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P:
        return None
    return P - x if x & 1 != sign else x


def add(a, b):
    A = (a[1] - a[0]) * (b[1] - b[0]) % P
    B = (a[1] + a[0]) * (b[1] + b[0]) % P
    C = 2 * a[3] * b[3] * D % P
    E = 2 * a[2] * b[2] % P
    e, f, g, h = B - A, E - C, E + C, B + A
    return (e * f % P, g * h % P, f * g % P, e * h % P)


@functools.lru_cache(maxsize=8)
def multiples(point):
    """The multiples 1 to 15 of the point, of 16 times the point, of 256 times it and so on. Cached: every signature
    needs those of the base point, and most signatures those of the same key."""
    rows = []
    for _ in range(64):
        row = [point]
        while len(row) < 15:
            row.append(add(row[-1], point))
        rows.append(row)
        point = add(row[-1], point)
    return rows


def multiply(scalar, point):
    """For a scalar below 2^256."""
    total = (0, 1, 1, 0)
    for row in multiples(point):
        if scalar & 15:
            total = add(total, row[(scalar & 15) - 1])
        scalar >>= 4
    return total


def decompress(data):
    y = int.from_bytes(data, "little")
    sign = y >> 255
    y &= (1 << 255) - 1
    x = recover_x(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE = (recover_x(BASE_Y, 0), BASE_Y, 1, recover_x(BASE_Y, 0) * BASE_Y % P)


def ed25519_verify(public, message, signature):
    if len(public) != 32 or len(signature) != 64:
        return False
    a, r = decompress(public), decompress(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= ORDER:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % ORDER
    left, right = multiply(s, BASE), add(r, multiply(h, a))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


# --- RFC 6962 hashing ----------------------------------------------------------------------------------------------------
def sha256(data):
    return hashlib.sha256(data).digest()


def leaf_hash(entry):
    return sha256(b"\0" + entry)


def node_hash(left, right):
    return sha256(b"\1" + left + right)


class Peaks:
    """The perfect subtrees of a growing tree, from left to right: enough for its root."""

    def __init__(self):
        self.size = 0
        self.peaks = []

    def push(self, digest):
        self.size += 1
        count = self.size
        while count % 2 == 0:
            digest = node_hash(self.peaks.pop(), digest)
            count //= 2
        self.peaks.append(digest)

    def root(self):
        if not self.peaks:
            return sha256(b"")
        digest = self.peaks[-1]
        for peak in reversed(self.peaks[:-1]):
            digest = node_hash(peak, digest)
        return digest


def root_from_inclusion(digest, index, size, proof):
    """The root that an audit path leads to (recursively, as 2.1.1 builds it), or None for one of the wrong length."""

    def climb(index, size, proof):
        if size == 1:
            return digest if not proof else None
        if not proof:
            return None
        split = 1 << ((size - 1).bit_length() - 1)
        below = proof[:-1]
        if index < split:
            left = climb(index, split, below)
            return None if left is None else node_hash(left, proof[-1])
        right = climb(index - split, size - split, below)
        return None if right is None else node_hash(proof[-1], right)

    return climb(index, size, proof) if 0 <= index < size else None


# --- Notes ---------------------------------------------------------------------------------------------------------------
def b64(text):
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if base64.b64encode(data).decode() == text else None


class Key:
    def __init__(self, text):
        match = re.fullmatch(r"([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)", text.strip())
        data = b64(match[3]) if match else None
        if data is None or len(data) != 33 or data[0] not in (1, 4):
            raise ValueError(f"{text} is no verifier key")
        self.text, self.name, self.kind, self.public = text.strip(), match[1], data[0], data[1:]
        self.id = sha256(self.name.encode() + b"\n" + data)[:4]
        if self.id.hex() != match[2]:
            raise ValueError(f"{text} has the id of another key")


class Note:
    def __init__(self, data):
        text = data.decode("utf-8")
        gap = text.rfind("\n\n")
        if gap < 0 or not text.endswith("\n") or any(ord(sign) < 32 and sign != "\n" for sign in text):
            raise ValueError("no signed note")
        self.text = text[: gap + 1]
        self.signatures = []
        lines = text[gap + 2 : -1].split("\n")
        if len(lines) > 64:
            raise ValueError("too many signatures")
        for line in lines:
            match = re.fullmatch("\u2014 ([^\\s+]+) (\\S+)", line)
            value = b64(match[2]) if match else None
            if value is None or len(value) < 5:
                raise ValueError("a line that is no signature")
            self.signatures.append((match[1], value[:4], value[4:]))

    def check(self, key):
        """'absent', 'wrong', or the time of a cosignature (0 for a plain signature)."""
        found = "absent"
        for name, ident, signature in self.signatures:
            if name != key.name or ident != key.id:
                continue
            time, message = 0, self.text
            if key.kind == 4:
                if len(signature) != 72:
                    return "wrong"
                time = struct.unpack(">Q", signature[:8])[0]
                # Beyond the last second that a date can have.
                if time > 8_640_000_000_000:
                    return "wrong"
                signature, message = signature[8:], f"cosignature/v1\ntime {time}\n{self.text}"
            if not ed25519_verify(key.public, message.encode(), signature):
                return "wrong"
            found = time
        return found


class Checkpoint:
    def __init__(self, text):
        match = re.fullmatch(r"([^\n]+)\n(0|[1-9][0-9]*)\n([A-Za-z0-9+/=]+)\n", text)
        self.root = b64(match[3]) if match else None
        if self.root is None or len(self.root) != 32 or int(match[2]) >= 2**53:
            raise ValueError("no checkpoint")
        self.origin, self.size = match[1], int(match[2])


# --- Reading -------------------------------------------------------------------------------------------------------------
def open_source(address):
    if not re.match(r"https?://", address):

        def read_file(name):
            try:
                with open(os.path.join(address, *name.split("/")), "rb") as file:
                    return file.read()
            except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
                return None

        return read_file

    def read_http(name):
        for attempt in range(6):
            try:
                with urllib.request.urlopen(address.rstrip("/") + "/" + name, timeout=30) as answer:
                    return answer.read()
            except urllib.error.HTTPError as error:
                if error.code == 404:
                    return None
                wait = error.headers.get("Retry-After", "")
                if error.code != 429 or attempt == 5 or not wait.isdigit() or int(wait) > 120:
                    raise
                time.sleep(int(wait))

    return read_http


def index_path(index):
    parts = [f"{index % 1000:03d}"]
    while index >= 1000:
        index //= 1000
        parts.insert(0, f"x{index % 1000:03d}")
    return "/".join(parts)


def read_part(source, kind, index, width):
    path = f"tile/{kind}/{index_path(index)}"
    data = source(path if width == 256 else f"{path}.p/{width}")
    return source(path) if data is None and width < 256 else data


def split_bundle(data):
    entries, at = [], 0
    while at < len(data):
        if at + 2 > len(data):
            raise ValueError("a bundle that breaks off")
        length = struct.unpack_from(">H", data, at)[0]
        if at + 2 + length > len(data):
            raise ValueError("a bundle that breaks off")
        entries.append(data[at + 2 : at + 2 + length])
        at += 2 + length
    return entries


# --- Votes ---------------------------------------------------------------------------------------------------------------
NUMBER = r"(0|[1-9]\d{0,14})"
UUID = r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
VOTE = re.compile(
    rf"florka-vote/1 seq={NUMBER} round={NUMBER} candidate={UUID} day=(\d{{4}}-\d\d-\d\d) voter=([0-9a-f]{{32}}) "
    r"state=(counted|under_review|void|withdrawn) cast=(\d{4}-\d\d-\d\dT\d\d:\d\dZ)", re.ASCII)
CANDIDATE = re.compile(
    rf"florka-candidate/1 seq={NUMBER} candidate={UUID} added=(\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{{6}}Z) state=(listed|unlisted)", re.ASCII)
RESULT = re.compile(rf"florka-result/1 seq={NUMBER} of=(round/[1-9]\d{{0,8}}|day/\d{{4}}-\d\d-\d\d) sha256=([0-9a-f]{{64}})", re.ASCII)
AUDIT = re.compile(rf"florka-audit/1 seq={NUMBER} entry={NUMBER} hash=([0-9a-f]{{64}})", re.ASCII)
ROW = re.compile(r"([1-9]\d*) ([0-9a-f-]{36}) ([1-9]\d*) (-|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)", re.ASCII)


@functools.lru_cache(maxsize=4096)
def is_real(text):
    """False for a date or time in the format of a leaf that does not exist, such as February 30."""
    try:
        datetime.date(int(text[:4]), int(text[5:7]), int(text[8:10]))
        if len(text) > 10:
            datetime.time(int(text[11:13]), int(text[14:16]), int(text[17:19]) if len(text) > 17 else 0)
    except ValueError:
        return False
    return True


class Election:
    def __init__(self):
        self.ended = set()  # rounds whose result is among the leaves, as texts
        self.votes = {}  # (round, voter, candidate, day) -> (state, cast)
        self.candidates = {}  # id -> (added, state)

    def vote(self, key, state, cast):
        before = self.votes.get(key, (None, None))[0]
        if key[2] not in self.candidates:
            return "a vote for a candidate that was never listed"
        for one in (key[3], cast):
            if not is_real(one):
                return f"{one} is no date"
        # Votes from before the ledger are of round 0: nothing is known of how their day was determined.
        if key[0] != "0" and cast[:10] != key[3]:
            return f"a vote of {cast} cannot be one of {key[3]}"
        if state == before or (state == "withdrawn" and before is None):
            return f"a vote cannot become {state} after {before or 'nothing'}"
        if before is None and key[0] in self.ended:
            return f"a first vote of round {key[0]} after its result"
        if before not in (None, "withdrawn") and self.votes[key][1] != cast:
            return f"a vote of {self.votes[key][1]} cannot become one of {cast}"
        self.votes[key] = (state, cast)
        return None

    def candidate(self, ident, added, state):
        if not is_real(added):
            return f"{added} is no date"
        before = self.candidates.get(ident)
        if before and (before[0] != added or before[1] == state):
            return f"candidate {ident} cannot become {state}"
        self.candidates[ident] = (added, state)
        return None

    def result(self, of):
        what, name = of.split("/")
        if what == "round":
            self.ended.add(name)
        return f"{name} is no date" if what == "day" and not is_real(name) else None

    def count(self, belongs):
        totals = {}
        for (_, _, candidate, day), (state, cast) in self.votes.items():
            if state == "counted" and belongs(candidate, day):
                votes, newest = totals.get(candidate, (0, ""))
                totals[candidate] = (votes + 1, max(newest, cast))
        return [(candidate, votes, newest) for candidate, (votes, newest) in totals.items()]

    def day(self, day):
        return self.ranked(self.count(lambda _, on: on == day))

    def standings(self):
        return self.ranked(self.count(lambda candidate, _: self.candidates[candidate][1] == "listed"))

    def absent_from(self, rows, number):
        """Candidates with counted votes of this round that are not in these rows, most votes first."""
        totals = {}
        for (of, _, candidate, _), (state, _) in self.votes.items():
            if of == number and state == "counted":
                totals[candidate] = totals.get(candidate, 0) + 1
        for candidate, _, _ in rows:
            totals.pop(candidate, None)
        return [{"candidate": one, "votes": totals[one]} for one in sorted(totals, key=lambda one: (-totals[one], one))]

    def ranked(self, rows):
        return sorted(rows, key=lambda row: (-row[1], row[2], self.candidates.get(row[0], ("",))[0], row[0]))


def parse_result(text):
    lines = text.split("\n")
    if lines[-1] != "" or len(lines) < 7 or lines[1] != "florka-result/1" or not lines[0].endswith("/result"):
        raise ValueError("no statement")
    rows = []
    for number, line in enumerate(lines[6:-1], 1):
        match = ROW.fullmatch(line)
        if not match or int(match[1]) != number:
            raise ValueError("a row that is none")
        rows.append((match[2], int(match[3]), "" if match[4] == "-" else match[4]))
    head = [re.fullmatch(pattern, line, re.ASCII) for pattern, line in zip(
        (r"of (\S+)", r"size (0|[1-9]\d*)", r"root (\S+)", r"rows (0|[1-9]\d*)"), lines[2:6])]
    if not all(head) or int(head[3][1]) != len(rows):
        raise ValueError("a head that is none")
    return lines[0][: -len("/result")], head[0][1], int(head[1][1]), b64(head[2][1]), rows


def compare(election, claimed, counted):
    own = {row[0]: row for row in counted}
    if len({row[0] for row in claimed}) != len(claimed):
        yield "a candidate stands there twice"
    for candidate, votes, reached in claimed:
        mine = own.pop(candidate, (candidate, 0, ""))
        if mine[1] != votes:
            yield f"{candidate} has {votes} votes there and {mine[1]} in the ledger"
        elif reached and reached[:16] + "Z" != mine[2]:
            yield f"{candidate} reached its total at another minute"
    for candidate in own:
        yield f"{candidate} is missing there"
    if [row[0] for row in election.ranked(claimed)] != [row[0] for row in claimed]:
        yield "the order does not follow the rule"
    minutes = {row[0]: row[2] for row in counted}
    whole = [(candidate, votes, reached or minutes.get(candidate, "")) for candidate, votes, reached in claimed]
    if [row[0] for row in election.ranked(whole)] != [row[0] for row in claimed]:
        yield "the order rests on a moment that is left out"


# --- All of it -----------------------------------------------------------------------------------------------------------
def read_receipt(data, key, add_problem):
    try:
        head, _, rest = data.decode().partition("\n\n")
        lines = head.split("\n")
        note = Note(rest.encode())
        point = Checkpoint(note.text)
        number = re.fullmatch(rf"index {NUMBER}", lines[2], re.ASCII)
        if lines[0] != "c2sp.org/tlog-proof@v1" or not lines[1].startswith("extra ") or not number:
            raise ValueError("no receipt")
        data, index, proof = b64(lines[1][6:]), int(number[1]), [b64(line) for line in lines[3:]]
        if data is None or len(proof) > 63 or any(one is None or len(one) != 32 for one in proof):
            raise ValueError("no receipt")
        entry = data.decode()
    except (ValueError, IndexError):
        add_problem("receipt", "this is no receipt")
        return None
    if point.origin != key.name or isinstance(note.check(key), str):
        add_problem("receipt", f"the log did not sign the receipt of leaf {index}")
        return None
    if root_from_inclusion(leaf_hash(data), index, point.size, proof) != point.root:
        add_problem("receipt", f"leaf {index} is not in the tree of its receipt")
        return None
    return entry, index, point


def verify(source, key_text=None, witnesses=(), memory=None, receipts=()):
    problems = []
    add_problem = lambda code, detail: problems.append({"code": code, "detail": detail})
    report = {"problems": problems, "origin": "", "size": 0, "root": "", "days": [], "rounds": [], "unstatedRounds": [], "witnesses": [],
              "receipts": [], "votes": {}, "consistentWith": 0, "memory": memory or {"key": "", "seen": []}}
    signed_note = source("checkpoint") or b""
    try:
        note = Note(signed_note)
        point = Checkpoint(note.text)
    except (ValueError, UnicodeDecodeError):
        add_problem("checkpoint", "there is no checkpoint, or it is damaged")
        return report
    raw = source("key")
    named = (raw or b"").decode("utf-8", "replace").removesuffix("\n")
    # An empty key is not trusted, and differs from no key: the ledger's own key must not replace it.
    wanted = key_text if key_text is not None else (memory or {}).get("key") or named
    if raw is not None and raw != f"{wanted}\n".encode():
        # Quoted: it may contain control characters that a terminal interprets.
        add_problem("key", f"the ledger names the key {json.dumps(named)} and not {json.dumps(wanted)}")
    try:
        key = Key(wanted)
    except ValueError:
        key = None
    # The key of a witness signs cosignatures, not ledgers.
    if key is None or key.kind != 1:
        add_problem("key", "there is no key that could be checked with")
        return report
    report.update(origin=point.origin, size=point.size, root=base64.b64encode(point.root).decode(), key=key.text)
    if point.origin != key.name:
        add_problem("checkpoint", f"it is the checkpoint of {point.origin} and not of {key.name}")
    if isinstance(note.check(key), str):
        add_problem("signature", "the signature of the checkpoint is " + note.check(key))
    for text in witnesses:
        try:
            witness = Key(text)
        except ValueError:
            witness = None
        # The key of a log signs ledgers, not cosignatures of a witness.
        if witness is None or witness.kind != 4:
            add_problem("cosignature", f"{text} is no key of a witness")
            continue
        found = note.check(witness)
        if found == "wrong":
            add_problem("cosignature", f"the signature of {witness.name} is wrong")
        elif found == "absent":
            add_problem("cosignature", f"{witness.name} did not sign this checkpoint")
        else:
            report["witnesses"].append({"name": witness.name, "time": found})

    kept = [one for one in (read_receipt(data, key, add_problem) for data in receipts) if one]
    seen = [(one["size"], b64(one["root"])) for one in (memory or {"seen": []})["seen"]]
    watched = {}
    for size, root in seen + [(one[2].size, one[2].root) for one in kept]:
        watched.setdefault(size, []).append(root)
    for size, _ in seen:
        if size > point.size:
            add_problem("shrunk", f"the ledger had {size} leaves before, and has {point.size} now")
    for _, index, signed in kept:
        # Its leaf is not in the tree that is verified below.
        if signed.size > point.size:
            add_problem("shrunk", f"the ledger had {signed.size} leaves in the receipt of leaf {index}, and has {point.size} now")

    election, tree, continued, statements = Election(), Peaks(), set(), []
    level_hashes = []  # of the lowest level, for the tiles

    def look():
        for root in watched.get(tree.size, []):
            if root == tree.root():
                continued.add((tree.size, root))
            else:
                add_problem("inconsistent", f"the ledger was rewritten below leaf {tree.size}")

    look()
    for index in range((point.size + 255) // 256):
        width = min(256, point.size - index * 256)
        try:
            entries = split_bundle(read_part(source, "entries", index, width) or b"")
        except ValueError:
            entries = []
        if len(entries) != width and len(entries) != 256:
            add_problem("missing", f"bundle {index} is missing or damaged")
            break
        for data in entries[:width]:
            seq = tree.size
            text = data.decode("ascii", "replace")
            wrong = None
            if match := VOTE.fullmatch(text):
                wrong = election.vote((match[2], match[5], match[3], match[4]), match[6], match[7])
            elif match := CANDIDATE.fullmatch(text):
                wrong = election.candidate(match[2], match[3], match[4])
            elif match := RESULT.fullmatch(text):
                of = match[2]
                rows = election.day(of[4:]) if of.startswith("day/") else election.standings()
                # A copy: what the rule needs may change before the statement is read.
                absent = election.absent_from(rows, of[6:]) if of.startswith("round/") else []
                statements.append((of, match[3], seq, tree.root(), rows, Election(), absent))
                statements[-1][5].candidates = dict(election.candidates)
                wrong = election.result(of)
            elif not (match := AUDIT.fullmatch(text)):
                add_problem("entry", f"leaf {seq} is no entry of a ledger")
            if match and int(match[1]) != seq:
                add_problem("entry", f"leaf {seq} says that it is number {match[1]}")
            if wrong:
                add_problem("vote", f"leaf {seq}: {wrong}")
            level_hashes.append(leaf_hash(data))
            tree.push(level_hashes[-1])
            if tree.size in watched:
                look()
    if tree.size == point.size and tree.root() != point.root:
        add_problem("root", "the leaves do not have the root of the checkpoint")

    level, hashes = 0, level_hashes
    while hashes:
        above = []
        for start in range(0, len(hashes), 256):
            part = hashes[start : start + 256]
            stored = read_part(source, level, start // 256, len(part))
            if stored is None or len(stored) not in (len(part) * 32, 256 * 32):
                add_problem("missing", f"tile {level}/{start // 256} is missing or damaged")
            elif stored[: len(part) * 32] != b"".join(part):
                add_problem("tile", f"tile {level}/{start // 256} has other hashes than its leaves")
            if len(part) == 256:
                whole = Peaks()
                for one in part:
                    whole.push(one)
                above.append(whole.root())
        level, hashes = level + 1, above

    stated = set()
    # Statements that agree with the leaves: they know the moments by which ties within a minute were decided.
    exact = {}
    for of, digest, seq, root, rows, voters, absent in statements:
        before = len(problems)
        wrong = lambda detail: add_problem("result", f"{of}: {detail}")
        if of in stated:
            wrong("was stated twice")
        stated.add(of)
        if of.startswith("round/"):
            report["rounds"].append({"round": int(of[6:]), "rows": rows, "absent": absent})
        data = source(f"results/{of}")
        try:
            statement = Note(data or b"")
            origin, about, size, claimed_root, claimed = parse_result(statement.text)
        except (ValueError, UnicodeDecodeError):
            wrong("the statement is missing or damaged")
            continue
        if isinstance(statement.check(key), str):
            wrong("the log did not sign the statement")
        if sha256(statement.text.encode()).hex() != digest:
            wrong("the statement is not the one in the ledger")
        if (origin, about) != (key.name, of):
            wrong(f"the statement is about {origin} {about}")
        if size != seq or claimed_root != root:
            wrong("the statement is about other leaves")
        for difference in compare(voters, claimed, rows):
            wrong(difference)
        if len(problems) == before:
            exact[of] = claimed
            if of.startswith("round/"):
                report["rounds"][-1]["rows"] = claimed

    for day in sorted({one[3] for one in election.votes}):
        rows = election.day(day)
        claimed = exact.get(f"day/{day}")
        if claimed is not None and not any(compare(election, claimed, rows)):
            rows = claimed
        report["days"].append({"day": day, "rows": rows, "stated": f"day/{day}" in stated})
    rounds = sorted({int(one[0]) for one in election.votes})
    report["unstatedRounds"] = [one for one in rounds if one > 0 and f"round/{one}" not in stated]
    states = ["counted", "under_review", "void", "withdrawn"]
    found = [state for state, _ in election.votes.values()]
    report["votes"] = {state: found.count(state) for state in states}
    report["consistentWith"] = sum(1 for one in seen if one in continued)
    for entry, index, _ in kept:
        match = VOTE.fullmatch(entry)
        now = election.votes.get((match[2], match[5], match[3], match[4])) if match else None
        report["receipts"].append({"entry": entry, "index": index, "state": now[0] if now else None})
    # Whatever else is wrong: otherwise one lasting defect would end the comparison with later ones. After a fork the seen ones stay.
    signed = point.origin == key.name and not isinstance(note.check(key), str)
    if signed and (tree.size, tree.root()) == (point.size, point.root) and report["consistentWith"] == len(seen):
        newest = {"size": point.size, "root": report["root"], "note": signed_note.decode()}
        others = [one for one in report["memory"]["seen"] if (one["size"], one["root"]) != (point.size, report["root"])]
        report["memory"] = {"key": key.text, "seen": others + [newest]}
    return report


def is_memory(value):
    """True for the memory of an earlier run: an invalid entry must not be skipped silently."""
    if not isinstance(value, dict) or not isinstance(value.get("key"), str) or not isinstance(value.get("seen"), list):
        return False
    return all(
        isinstance(one, dict)
        and isinstance(one.get("size"), int)
        and isinstance(one.get("root"), str)
        and len(b64(one["root"]) or b"") == 32
        and isinstance(one.get("note", ""), str)
        for one in value["seen"]
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("--key")
    parser.add_argument("--witness", action="append", default=[])
    parser.add_argument("--memory", help="keeps each signed checkpoint that continues those kept, whatever else is wrong")
    parser.add_argument("--receipt", action="append", default=[])
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    memory = None
    if asked.memory and os.path.exists(asked.memory):
        with open(asked.memory, encoding="utf-8") as file:
            memory = json.load(file)
        if not is_memory(memory):
            raise ValueError(f"{asked.memory} is not what a verifier remembers")
    receipts = []
    for name in asked.receipt:
        with open(name, "rb") as file:
            receipts.append(file.read())
    report = verify(open_source(asked.address), asked.key, asked.witness, memory, receipts)
    # As the other verifier prints them.
    for place in report["days"] + report["rounds"]:
        place["rows"] = [{"candidate": one, "votes": votes, "reached": reached or None} for one, votes, reached in place["rows"]]
    if asked.memory and report["memory"]["seen"]:
        with open(asked.memory + ".new", "w", encoding="utf-8") as file:
            json.dump(report["memory"], file)
        os.replace(asked.memory + ".new", asked.memory)
    if asked.json:
        print(json.dumps(report))
    else:
        print_report(report)
    return 1 if report["problems"] else 0


def say(line):
    """Prints a line. Names, keys and leaves come from the ledger: control characters could hide other lines, and are
    escaped."""
    print(re.sub(r"[\x00-\x1f\x7f-\x9f]", lambda sign: f"\\u{ord(sign[0]):04x}", line))


def print_report(report):
    leader = lambda rows: f"{rows[0]['candidate']} with {rows[0]['votes']} votes" if rows else "no votes"
    say(f"{report['origin']}: {report['size']} leaves, {report['votes']}")
    for one in report["witnesses"]:
        say(f"signed by the witness {one['name']}, {one['time']} s after 1970")
    for one in report["rounds"]:
        say(f"round {one['round']}: {leader(one['rows'])}")
        for missing in one["absent"]:
            say(f"round {one['round']}: not in its result: {missing['candidate']} with {missing['votes']} votes of this round")
    for number in report["unstatedRounds"]:
        say(f"round {number}: not stated")
    for one in report["days"]:
        say(f"{one['day']}: {leader(one['rows'])}{'' if one['stated'] else ', not stated'}")
    for one in report["receipts"]:
        say(f"receipt of leaf {one['index']}, now {one['state'] or 'unknown'}: {one['entry']}")
    for one in report["problems"]:
        say(f"WRONG {one['code']}: {one['detail']}")
    say("All is in order." if not report["problems"] else "This ledger is not in order.")


if __name__ == "__main__":
    try:
        sys.exit(main())
    # The last: an answer that broke off.
    except (OSError, ValueError, http.client.HTTPException) as error:
        print(error, file=sys.stderr)
        sys.exit(2)
