// EACH_TWICE=1 finds tests that cannot be repeated. It fails the first try of each test at its end; a test that also
// fails in the retry depends on the state before the first try. Mark such tests `{ retry: 0 }`.

import { afterEach } from "vitest";

afterEach(({ task }) => {
  if (task.retry && (task.result?.retryCount ?? 0) === 0) throw new Error("the first try ends here (EACH_TWICE)");
});
