// A process that archives all due rows and restores some of them, until it is killed.

import { setTimeout as sleep } from "node:timers/promises";
import { seededRandom } from "../oracle/random.ts";
import { openOperator } from "./archive-operator.ts";
import { patiently } from "./patiently.ts";

const [seed = "1", ...applications] = process.argv.slice(2);
const random = seededRandom(Number(seed));
// The parent process has ended.
process.on("disconnect", () => process.exit());
const operator = await patiently(() => openOperator(process.env));
for (;;) {
  const restoring = new AbortController();
  const work = async () => {
    await operator.run(new AbortController().signal, () => undefined);
    const scope = { application: random.pick(applications), kind: random.pick(["results", "traces"]) };
    await operator.restore(scope, restoring.signal, () => {
      if (random.is(0.3)) restoring.abort();
    });
  };
  // The next round retries a failure.
  await work().catch(() => undefined);
  await sleep(random.int(0, 100));
}
