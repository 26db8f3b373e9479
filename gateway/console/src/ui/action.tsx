// Controls that call an operation. Whoever may not call it finds them where everybody does, and is told what it takes: they are disabled by
// `aria-disabled`, so that Tab and screen readers still reach them and their description.

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
  /** What it calls, or what the form calls that it opens. */
  readonly operation: Operations;
}

type Native<Props> = Props & Omit<ComponentProps<"button">, keyof Props> & OfOperation;

export const ActionButton = ({ operation, ...props }: Native<ButtonProps>) => (
  <Refusable operation={operation}>{(refused) => <Button {...props} {...refused} />}</Refusable>
);

export const ActionIconButton = ({ operation, ...props }: Native<ActionIconProps>) => (
  <Refusable operation={operation}>{(refused) => <ActionIcon {...props} {...refused} />}</Refusable>
);

/** Its description has the reason: Mantine's fields are described by nothing else. */
export function ActionSelect({ operation, ...props }: SelectProps & OfOperation) {
  const reason = useRefusal(operation);
  if (reason === undefined) return <Select {...props} />;
  return <Select {...props} readOnly aria-disabled description={reason} />;
}

export const ActionSwitch = ({ operation, ...props }: SwitchProps & OfOperation) => (
  <Refusable operation={operation}>{(refused) => <Switch {...props} {...refused} />}</Refusable>
);

interface RefusableProps extends OfOperation {
  /** The control, with props that come after its own. */
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

/** The tooltip's props are among the rest; its own description would be there only while it is open. */
const Refused = ({ reasonId, children, ...ofTooltip }: RefusedProps) =>
  children({ ...ofTooltip, ...refusedBy(reasonId), disabled: false, loading: false, "data-disabled": true });

/** For controls of which there are too many for a tooltip each. */
export const refusedBy = (reasonId: string) => ({
  "aria-disabled": true,
  "aria-describedby": reasonId,
  onClick: refuse,
  onChange: refuse,
});

const refuse = (event: SyntheticEvent) => event.preventDefault();
