import { requestNoise } from "./noise.ts";

/** Requests tests of its webhook, whose receiver should hang. */
export const webhookTests = requestNoise(50, () => ({ method: "POST", path: "/v0/webhook/test", body: "{}" }));
