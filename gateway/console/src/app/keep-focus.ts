// Moves the keyboard focus to another element if the focused element is removed or disabled.

const dialog = "[role=dialog]";

/** Starts watching. Moves lost focus to the open dialog, else to the element focused before it, else to the page. */
export function keepFocus(): void {
  let focused: HTMLElement | undefined;
  let outsideDialogs: HTMLElement | undefined;
  let wasDisabled = false;
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    focused = target;
    wasDisabled = false;
    if (target.closest(dialog) === null) outsideDialogs = target;
  });
  const onChange = () => {
    if (focused === undefined) return;
    // A focused button that is disabled while saving also loses focus.
    if (focused.isConnected && focused.matches(":disabled")) wasDisabled = true;
    else if (hasNoFocus() && (wasDisabled || !focused.isConnected)) {
      for (const element of [focused, document.querySelector<HTMLElement>(dialog), outsideDialogs, findMain(document)])
        if (hasNoFocus() && element?.isConnected) element.focus();
    }
  };
  const watched = { subtree: true, childList: true, attributes: true, attributeFilter: ["disabled"] };
  new MutationObserver(onChange).observe(document.body, watched);
}

const hasNoFocus = () => document.activeElement === null || document.activeElement === document.body;
const findMain = (page: Document) => page.getElementById("main");
