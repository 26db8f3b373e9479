// Controls that call an operation. Without permission they are disabled by `aria-disabled` and describe the missing
// role or scope, so that Tab and screen readers still reach them.

import {
  ActionIcon,
  type ActionIconProps,
  Button,
  type ButtonProps,
  Select,
  type SelectProps,
  Switch,
  type SwitchProps,
  Tooltip,
  VisuallyHidden,
} from "@mantine/core";
import { type ComponentProps, type ReactElement, type SyntheticEvent, useId } from "react";
import { type Operations, useRefusal } from "../session/permissions.ts";

interface OfOperation {
  /** Operations that the control, or the form it opens, calls. */
  readonly operation: Operations;
}

type Native<Props> = Props & Omit<ComponentProps<"button">, keyof Props> & OfOperation;

export const ActionButton = ({ operation, ...props }: Native<ButtonProps>) => (
  <Refusable operation={operation}>{(refused) => <Button {...props} {...refused} />}</Refusable>
);

export const ActionIconButton = ({ operation, ...props }: Native<ActionIconProps>) => (
  <Refusable operation={operation}>{(refused) => <ActionIcon {...props} {...refused} />}</Refusable>
);

/** A select whose description has the reason for a refusal; Mantine's fields support no other description. */
export function ActionSelect({ operation, ...props }: SelectProps & OfOperation) {
  const reason = useRefusal(operation);
  if (reason === undefined) return <Select {...props} />;
  return <Select {...props} readOnly aria-disabled description={reason} />;
}

export const ActionSwitch = ({ operation, ...props }: SwitchProps & OfOperation) => (
  <Refusable operation={operation}>{(refused) => <Switch {...props} {...refused} />}</Refusable>
);

interface RefusableProps extends OfOperation {
  /** Renders the control with extra props that override its own. */
  readonly children: (refused: object) => ReactElement;
}

export function Refusable({ operation, children }: RefusableProps) {
  const reason = useRefusal(operation);
  const id = useId();
  if (reason === undefined) return children({});
  return (
    <>
      <Tooltip label={reason} events={{ hover: true, focus: true, touch: true }} multiline maw={280}>
        <Refused reasonId={id}>{children}</Refused>
      </Tooltip>
      <VisuallyHidden id={id}>{reason}</VisuallyHidden>
    </>
  );
}

interface RefusedProps extends Pick<RefusableProps, "children"> {
  readonly reasonId: string;
}

/** Passes the tooltip's props on. The reason is a separate element, because a tooltip describes only while open. */
const Refused = ({ reasonId, children, ...ofTooltip }: RefusedProps) =>
  children({ ...ofTooltip, ...refusedBy(reasonId), disabled: false, loading: false, "data-disabled": true });

/** Props of a refused control, for lists with too many controls for one tooltip each. */
export const refusedBy = (reasonId: string) => ({
  "aria-disabled": true,
  "aria-describedby": reasonId,
  onClick: refuse,
  onChange: refuse,
});

const refuse = (event: SyntheticEvent) => event.preventDefault();
