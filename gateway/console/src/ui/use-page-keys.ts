// Keys of a page, which mean nothing while a dialog is open over it.

import { type HotkeyItem, useHotkeys } from "@mantine/hooks";

export function usePageKeys(keys: readonly (readonly [key: string, act: () => void])[]): void {
  useHotkeys(
    keys.map(([key, act]): HotkeyItem => [key, () => document.querySelector("[role=dialog]") === null && act()]),
  );
}
