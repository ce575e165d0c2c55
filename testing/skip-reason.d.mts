export function titleWithReason(title: string, missing: string | undefined): string;
export function readReason(full_name: string): string | undefined;
