// A dialog whose heading is no banner of the page, as that of Mantine's ready-made one is.

import { Group, getDefaultZIndex, Modal } from "@mantine/core";
import type { ReactNode } from "react";

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** Undefined where it can only be answered. */
  readonly onClose: (() => void) | undefined;
  readonly size?: string;
  /** Whatever else is open. */
  readonly isAboveAll?: boolean;
  /** Another dialog is above it, which alone takes Escape and the focus. */
  readonly isCovered?: boolean;
  readonly children: ReactNode;
}

export function Dialog({
  title,
  isOpen,
  onClose,
  size = "md",
  isAboveAll = false,
  isCovered = false,
  children,
}: DialogProps) {
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose ?? (() => undefined)}
      size={size}
      closeOnEscape={!isCovered}
      closeOnClickOutside={!isCovered}
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
