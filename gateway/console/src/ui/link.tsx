// Mantine components as router links. Links to unknown paths do not compile.

import { Anchor, type AnchorProps, Button, type ButtonProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, Ref } from "react";
import type { Operations } from "../session/permissions.ts";
import { Refusable } from "./action.tsx";
import classes from "./link.module.css";

type Native = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "color" | "style" | "onChange"> & {
  ref?: Ref<HTMLAnchorElement>;
};

// Names have their own direction, and marks for directions in them do not change the text around them.
export const AnchorLink = createLink((props: AnchorProps & Native) => <Anchor dir="auto" {...props} />);
/** Link to the resource of a table row. */
export const RowLink = createLink((props: AnchorProps & Native) => (
  <Anchor dir="auto" inherit fw={500} className={classes.row} {...props} />
));
export const ButtonLink = createLink((props: ButtonProps & Native) => <Button component="a" {...props} />);

interface OfOperation {
  /** Operations that the target page calls. */
  readonly operation: Operations;
}

/** Link that looks like a button. Without permission, it is a disabled button. */
export const ActionLink = createLink(({ operation, ...props }: ButtonProps & Native & OfOperation) => (
  <Refusable operation={operation}>
    {(refused) => <Button component="a" {...props} {...refused} {...("aria-disabled" in refused && nowhere)} />}
  </Refusable>
));

const nowhere = { href: undefined, role: "button", tabIndex: 0 };
