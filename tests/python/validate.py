"""Checks messages against the JSON Schema of the socket: validate.py SCHEMA < LINES.

Each line is a JSON array: the definition, such as "Request", whether the message satisfies it, and the message.
"""

import json
import sys

from jsonschema import Draft202012Validator

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
Draft202012Validator.check_schema(schema)
validators = {
    name: Draft202012Validator({**schema, "anyOf": [{"$ref": f"#/$defs/{name}"}]})
    for name in ("Request", "ServerMessage")
}


def why(error):
    """The innermost reasons, which say more than that no form fits."""
    if not error.context:
        return [f"{error.json_path}: {error.message}"]
    return [reason for inner in error.context for reason in why(inner)]


counts = {True: 0, False: 0}
for line in sys.stdin:
    name, fits, message = json.loads(line)
    if validators[name].is_valid(message) != fits:
        errors = validators[name].iter_errors(message)
        reasons = "\n  ".join(reason for error in errors for reason in why(error))
        sys.exit(f"{name} {'refuses' if fits else 'takes'} {json.dumps(message)}\n  {reasons}")
    counts[fits] += 1
print(counts[True], counts[False])
