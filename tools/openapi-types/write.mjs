// Reads an OpenAPI document on standard input and writes its TypeScript types to standard output.
import openapiTS, { astToString } from 'openapi-typescript';

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
process.stdout.write(astToString(await openapiTS(JSON.parse(Buffer.concat(chunks).toString('utf8')))));
