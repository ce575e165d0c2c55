import { memo } from 'react';
import type { ComponentProps } from 'react';
import { SelectField } from '../../../ui/form.tsx';
import { i18n } from '../../../i18n/i18n.ts';
import { listZones, localZone, nameOfZone } from './zones.ts';

/** All zones, apart from the field: there are over four hundred, which no key pressed elsewhere should draw again. */
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
  /** The zone that stands there now, which this browser need not know. */
  present: string;
}

/** A choice among all time zones: a native list, which finds what is typed and suits each kind of device. */
export function ZoneField({ present, ...field }: ZoneFieldProps) {
  return (
    <SelectField label={i18n.t('Time zone')} {...field}>
      <ZoneOptions present={present} />
    </SelectField>
  );
}
