// Dialog without a `header` element, because Mantine's own modal would add a second banner landmark to the page.

import { Group, getDefaultZIndex, Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useIsCovered } from "./dialog-stack.ts";

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** Closes the dialog. Undefined if the dialog cannot be dismissed. */
  readonly onClose: (() => void) | undefined;
  readonly size?: string;
  /** True to stay above all other dialogs. */
  readonly isAboveAll?: boolean;
  /** True if the dialog has unsaved input, which a click outside must not discard. */
  readonly isDirty?: boolean;
  readonly children: ReactNode;
}

export function Dialog({
  title,
  isOpen,
  onClose,
  size = "md",
  isAboveAll = false,
  isDirty = false,
  children,
}: DialogProps) {
  const isCovered = useIsCovered(isOpen);
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose ?? (() => undefined)}
      size={size}
      closeOnEscape={!isCovered}
      closeOnClickOutside={!isCovered && !isDirty}
      trapFocus={!isCovered}
      zIndex={getDefaultZIndex(isAboveAll ? "max" : "modal")}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Group justify="space-between" p="md" pb={0} wrap="nowrap">
          <Modal.Title fw={600}>{title}</Modal.Title>
          {onClose !== undefined && <Modal.CloseButton aria-label="Close" />}
        </Group>
        <Modal.Body p="md" pt="sm">
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
