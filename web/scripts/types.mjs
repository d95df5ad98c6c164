// Writes src/lib/protocol/openapi.ts, everything that travels as TypeScript, from docs/openapi.json; with --check it compares.

import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import openapiTS, { astToString } from 'openapi-typescript';

const SOURCE = new URL('../../docs/openapi.json', import.meta.url);
const FILE = new URL('../src/lib/protocol/openapi.ts', import.meta.url);

const document = JSON.parse(readFileSync(SOURCE, 'utf8'));
const { schemas } = document.components;

/** Makes a schema what the client holds to, with everything in it. */
function narrow(schema) {
  if (typeof schema !== 'object' || schema === null) return;
  // Words without a name of their own are those of the catalog, which the client reads when it runs.
  if (schema.enum?.length > 1) delete schema.enum;
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (field.oneOf) field.description ??= field.oneOf.map((form) => form.description).find(Boolean);
    // What may be left out is never null instead.
    if (schema.required?.includes(name)) continue;
    if (Array.isArray(field.type)) field.type = field.type.filter((type) => type !== 'null');
    if (field.oneOf) field.oneOf = field.oneOf.filter((form) => form.type !== 'null');
  }
  Object.values(schema).forEach(narrow);
}
for (const schema of Object.values(schemas)) {
  const words = schema.enum;
  narrow(schema);
  if (words) schema.enum = words;
}
narrow(document.paths);

// A refusal is an `ErrorBody`, whatever its status.
delete document.components.responses;
for (const operation of Object.values(document.paths).flatMap(Object.values)) {
  const told = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  operation.responses = Object.fromEntries(told);
}

const types = await openapiTS(document, { defaultNonNullable: false, rootTypes: true, rootTypesNoSchemaPrefix: true });
const constants = {
  SUBPROTOCOL: document['x-subprotocol'],
  LIMITS: document['x-limits'],
  CLOSE: document['x-close-codes'],
  ERROR_CODES: schemas.ErrorCode.enum
};
const declared = Object.entries(constants).map(
  ([name, value]) => `export const ${name} = ${JSON.stringify(value, null, 2)} as const;\n`
);
const text = ['// Made from docs/openapi.json by `make types`. Do not edit.\n', astToString(types), ...declared].join(
  '\n'
);

if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error('src/lib/protocol/openapi.ts is not what docs/openapi.json says: run `make types` and commit it');
  process.exit(1);
}
