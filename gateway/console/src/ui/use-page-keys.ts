// Keyboard shortcuts of a page. Ignored while a dialog is open, or if the session may not call the operation.

import { type HotkeyItem, useHotkeys } from "@mantine/hooks";
import { type Operations, useRefusal } from "../session/permissions.ts";

type Keys = readonly (readonly [key: string, act: () => void])[];

export function usePageKeys(keys: Keys, operation: Operations = []): void {
  const isAllowed = useRefusal(operation) === undefined;
  const mayAct = () => isAllowed && document.querySelector("[role=dialog]") === null;
  useHotkeys(keys.map(([key, act]): HotkeyItem => [key, () => mayAct() && act()]));
}
