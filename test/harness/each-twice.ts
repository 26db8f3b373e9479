// EACH_TWICE=1 finds tests that cannot be repeated: the first try of each test fails at its end, and tests that fail in the state
// that it left fail once more. Mark these `{ retry: 0 }`.

import { afterEach } from "vitest";

afterEach(({ task }) => {
  if (task.retry && (task.result?.retryCount ?? 0) === 0) throw new Error("the first try ends here (EACH_TWICE)");
});
