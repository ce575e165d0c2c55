import { memo } from 'react';
import type { ComponentProps } from 'react';
import { SelectField } from '../../../ui/form.tsx';
import { i18n } from '../../../i18n/i18n.ts';
import { listZones, localZone, nameOfZone } from './zones.ts';

/**
 * All zones, memoised apart from the field: over four hundred options must not be rendered again for input elsewhere.
 */
const ZoneOptions = memo(({ present }: { present: string }) => (
  <>
    {listZones(present, localZone()).map((zone) => (
      <option key={zone} value={zone}>
        {zone === localZone() ? i18n.t('{zone}, here', { zone: nameOfZone(zone) }) : zone.replaceAll('_', ' ')}
      </option>
    ))}
  </>
));

interface ZoneFieldProps extends Omit<ComponentProps<typeof SelectField>, 'label' | 'children'> {
  /** The current zone, which this browser may not know. */
  present: string;
}

/** A select of all time zones: a native one, which searches as one types and suits each kind of device. */
export function ZoneField({ present, ...field }: ZoneFieldProps) {
  return (
    <SelectField label={i18n.t('Time zone')} {...field}>
      <ZoneOptions present={present} />
    </SelectField>
  );
}
