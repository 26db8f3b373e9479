// Receivers of the benchmark, in their own process: one that answers and one that never does. Prints their addresses,
// then the number of received events once per second.

import { startWebhookNetwork } from "@ems/test-support/webhook-network";

const end = await startWebhookNetwork();
const live = await end.receiver("live.example.com", { keepsRequests: false });
const dead = await end.receiver("dead.example.com", { keepsRequests: false });
dead.behave({ kind: "hang" });
process.send?.({ env: end.env, live: live.origin, dead: dead.origin });
process.on("message", () => process.send?.({ received: live.received.size, connections: live.connections }));
process.on("disconnect", async () => {
  await end.close();
  process.exit(0);
});
