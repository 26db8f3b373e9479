// Simulates a person who uses only the keyboard.

import type { Locator, Page } from "playwright-core";

const tabsMax = 120;

/** Returns keyboard actions on the currently open page. */
export function byKeyboard(open: { readonly page: Page }) {
  /** Presses Tab until the target has focus. */
  async function tabTo(target: Locator): Promise<void> {
    const { page } = open;
    const focused = target.and(page.locator(":focus"));
    for (let tabs = 0; tabs < tabsMax; tabs += 1) {
      if ((await focused.count()) > 0) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab does not lead to ${target}`);
  }

  async function press(target: Locator, key = "Enter"): Promise<void> {
    await target.waitFor();
    await tabTo(target);
    await open.page.keyboard.press(key);
  }

  async function type(target: Locator, text: string): Promise<void> {
    await target.waitFor();
    await tabTo(target);
    await open.page.keyboard.press("Control+a");
    await open.page.keyboard.type(text);
  }

  /** Presses the down arrow until the item of the open menu or list box is selected, then Enter. */
  async function choose(item: Locator, { highlighted = ":focus" } = {}): Promise<void> {
    const { page } = open;
    await item.waitFor();
    const chosen = item.and(page.locator(highlighted));
    for (let presses = 0; (await chosen.count()) === 0; presses += 1) {
      if (presses > tabsMax) throw new Error(`The arrow does not lead to ${item}`);
      await page.keyboard.press("ArrowDown");
    }
    await page.keyboard.press("Enter");
  }

  return { tabTo, press, type, choose };
}
