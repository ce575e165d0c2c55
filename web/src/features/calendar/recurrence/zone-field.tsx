import { memo, useState } from 'react';
import type { ComponentProps } from 'react';
import { SelectField } from '../../../ui/form.tsx';
import { i18n } from '../../../i18n/i18n.ts';
import { listZones, localZone, nameOfZone } from '../zones.ts';

/**
 * All zones, memoised apart from the field: over four hundred options must not be rendered again for input elsewhere.
 */
const ZoneOptions = memo(({ initial }: { initial: string }) => (
  <>
    {listZones(initial, localZone()).map((zone) => (
      <option key={zone} value={zone}>
        {zone === localZone() ? i18n.t('{zone} (this device)', { zone: nameOfZone(zone) }) : zone.replaceAll('_', ' ')}
      </option>
    ))}
  </>
));

/** A select with all time zones: a native one, which can be searched by typing and suits every device. */
export function ZoneField(field: Omit<ComponentProps<typeof SelectField>, 'label' | 'children'>) {
  // Kept in the list when another one is chosen, since the browser may not know it.
  const [initial] = useState(String(field.value ?? field.defaultValue));
  return (
    <SelectField label={i18n.t('Time zone')} {...field}>
      <ZoneOptions initial={initial} />
    </SelectField>
  );
}
