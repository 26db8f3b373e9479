// EACH_TWICE=1 asks which tests cannot be tried again: each one's first try fails at its end, and those that find the world
// changed by it fail once more. Such a test says `{ retry: 0 }`.

import { afterEach } from "vitest";

afterEach(({ task }) => {
  if (task.retry && (task.result?.retryCount ?? 0) === 0) throw new Error("the first try ends here (EACH_TWICE)");
});
