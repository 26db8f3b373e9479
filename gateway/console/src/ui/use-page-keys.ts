// Keys of a page, which mean nothing while a dialog is open over it, nor to whom may not call their operation.

import { type HotkeyItem, useHotkeys } from "@mantine/hooks";
import { type Operations, useRefusal } from "../session/permissions.ts";

type Keys = readonly (readonly [key: string, act: () => void])[];

export function usePageKeys(keys: Keys, operation: Operations = []): void {
  const isAllowed = useRefusal(operation) === undefined;
  const mayAct = () => isAllowed && document.querySelector("[role=dialog]") === null;
  useHotkeys(keys.map(([key, act]): HotkeyItem => [key, () => mayAct() && act()]));
}
