import { Phone } from 'lucide-react';
import type { LucideProps } from 'lucide-react';

/** The hang-up icon. */
export function HangUp({ className = '', ...props }: LucideProps) {
  return <Phone {...props} className={`hang-up ${className}`} />;
}
