import { runBootstrap } from "../bootstrap.ts";
import { bootstrappedDatabase } from "../owner-database.ts";
import { quitSidecar } from "../sidecar.ts";

const code = await runBootstrap(bootstrappedDatabase(process.env));
await quitSidecar(process.env, (line) => process.stderr.write(`${line}\n`));
process.exitCode = code;
