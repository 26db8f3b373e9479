// Runs the application's receiver of prompts in a process of its own, so that it does not delay the measured work.
// Prints its URL, and the settings with which the product reaches it.

import { startEventReceiver } from "../../harness/event-receiver.ts";

const { url, env } = await startEventReceiver();
console.log(JSON.stringify({ url, env }));
