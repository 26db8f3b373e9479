// Controls that call an API operation. Without permission they describe the missing role or scope and are disabled by
// `aria-disabled`, so that Tab and screen readers still reach them.

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

/** Select that shows the reason for a refusal as its description, because Mantine's fields support no other element. */
export function ActionSelect({ operation, ...props }: SelectProps & OfOperation) {
  const reason = useRefusal(operation);
  if (reason === undefined) return <Select {...props} />;
  return <Select {...props} readOnly aria-disabled description={reason} />;
}

export const ActionSwitch = ({ operation, ...props }: SwitchProps & OfOperation) => (
  <Refusable operation={operation}>{(refused) => <Switch {...props} {...refused} />}</Refusable>
);

interface RefusableProps extends OfOperation {
  /** Renders the control. The passed props must override the control's own props. */
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

/** Passes on the tooltip's props. A separate element has the reason, because a tooltip is described only while open. */
const Refused = ({ reasonId, children, ...ofTooltip }: RefusedProps) =>
  children({ ...ofTooltip, ...refusedBy(reasonId), disabled: false, loading: false, "data-disabled": true });

/** Returns props for a refused control, for lists whose controls are too many to have a tooltip each. */
export const refusedBy = (reasonId: string) => ({
  "aria-disabled": true,
  "aria-describedby": reasonId,
  onClick: refuse,
  onChange: refuse,
});

const refuse = (event: SyntheticEvent) => event.preventDefault();
