import { Phone } from 'lucide-react';
import type { LucideProps } from 'lucide-react';

/** The handset put down: the sign of what ends a call. */
export function HangUp({ className = '', ...props }: LucideProps) {
  return <Phone {...props} className={`hang-up ${className}`} />;
}
