"""Runs the second verifier over many ledgers in one process: a line of JSON for each on standard input, with its files in
Base64 and what was seen before, and a line for each on standard output, with the codes of its problems."""

import base64
import functools
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "..", "packages", "verify-py"))
import florka_verify  # noqa: E402

# Most of these ledgers have the same signed statements: the same key, text and signature have the same verdict.
florka_verify.ed25519_verify = functools.lru_cache(maxsize=None)(florka_verify.ed25519_verify)

for line in sys.stdin:
    asked = json.loads(line)
    files = {name: base64.b64decode(data) for name, data in asked["files"].items()}
    try:
        codes = [problem["code"] for problem in florka_verify.verify(files.get, asked["key"], (), asked["memory"])["problems"]]
    except (OSError, ValueError) as error:
        # As the command does, which ends with 2.
        codes = ["unreadable: " + str(error)]
    print(json.dumps(codes))
