// Process of the noisy client: receives an order from its parent, and reports the result.

import { noises } from "./index.ts";
import type { NoisyOrder } from "./process.ts";

process.once("message", (message) => {
  const { name, target, limits } = message as NoisyOrder;
  noises[name](target, limits).then(
    (counts) => process.send?.(counts, () => process.exit(0)),
    (error: unknown) => {
      console.error(`${name}:`, error);
      process.exit(1);
    },
  );
});
process.once("disconnect", () => process.exit(0));
process.send?.("ready");
