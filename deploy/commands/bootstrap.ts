import { runBootstrap } from "../bootstrap.ts";
import { bootstrappedDatabase } from "../owner-database.ts";

await runBootstrap(bootstrappedDatabase(process.env));
