// Runs the scripted model in a process of its own; prints its base URL.

import { modelServer } from "@ems/test-support/model-server";

const server = await modelServer();
console.log(server.url);
