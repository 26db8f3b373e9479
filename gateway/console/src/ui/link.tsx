// Mantine's components as links of the router: a path that is no page does not compile.

import { Anchor, type AnchorProps, Button, type ButtonProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, Ref } from "react";

type Native = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "color" | "style" | "onChange"> & {
  ref?: Ref<HTMLAnchorElement>;
};

export const AnchorLink = createLink((props: AnchorProps & Native) => <Anchor {...props} />);
export const ButtonLink = createLink((props: ButtonProps & Native) => <Button component="a" {...props} />);
