export const commentsPath: string;
export function commentsDigest(): string;
export function hasComments(): boolean;
