import { areas } from './areas.js';
import type { Settings } from './setting.js';

/** The configuration as a Markdown table, one row a variable, in the order of the areas. */
export function configTable(): string {
  const rows = (Object.values(areas) as Settings[]).flatMap((settings) =>
    Object.values(settings).map(({ env, defaultText, unit, doc }) => {
      const byDefault = defaultText === '' ? '' : `\`${defaultText}\`${unit ? ` ${unit}` : ''}`;
      return `| \`${env}\` | ${byDefault} | ${doc} |`;
    }),
  );
  return ['| variable | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
