/** What a receipt's page says of it: no stronger than what was checked, and never the same for a forged and a sound one. */
import type { Place } from './messages.ts';
import type { Rerun } from './rerun.ts';
import { shortName, type Verdict } from './verify.ts';

export interface Said {
  tone: 'good' | 'plain' | 'bad';
  heading: string;
  sentences: string[];
}

const unsigned = 'Anyone could have written it.';

export function said(verdict: Verdict, place: Place): Said {
  switch (verdict.kind) {
    case 'changed':
      return {
        tone: 'bad',
        heading: 'Changed',
        sentences: ['What is shown here is not what was signed: its digest does not fit. Do not rely on it.'],
      };
    case 'forged':
      return {
        tone: 'bad',
        heading: 'Forged',
        sentences: [`Key ${shortName(verdict.key)}…, which it names, did not sign this. Do not rely on it.`],
      };
    case 'unsigned':
      return { tone: 'plain', heading: 'Not signed', sentences: [[verdict.why, unsigned].filter(Boolean).join(' ')] };
    case 'unchecked':
      return {
        tone: 'plain',
        heading: 'Signature not checked',
        sentences: ['This browser cannot check the signature. The digest fits, which anyone could have brought about.'],
      };
    case 'signed':
      return saidOfKey(verdict.key, place);
  }
}

function saidOfKey(key: string, { vouching, ownKey }: Place): Said {
  const unchanged = `Unchanged since key ${shortName(key)}… signed it.`;
  if (ownKey === key)
    return {
      tone: 'good',
      heading: 'Signed here',
      sentences: [unchanged, 'It is the key of the workspace in this browser.'],
    };
  if (vouching?.keys.includes(key))
    return {
      tone: 'good',
      heading: `Signed, vouched for by ${vouching.host}`,
      sentences: [unchanged, `${vouching.host} vouches for this key.`],
    };
  return {
    tone: 'plain',
    heading: 'Signed by an unknown key',
    sentences: [unchanged, 'Nobody vouches for this key: it says that the receipt was not altered, not who made it.'],
  };
}

export function saidOfRerun(outcome: Rerun): Said {
  const rows = (number: number) => `${number} ${number === 1 ? 'row' : 'rows'}`;
  const where = (by: string | undefined) =>
    by ? `by ${by} on the same versions` : 'on the versions of these names here';
  switch (outcome.kind) {
    case 'same':
      return {
        tone: 'good',
        heading: 'Run again',
        sentences: [
          `Re-run just now ${where(outcome.by)}: same ${rows(outcome.rows)}${outcome.isReordered ? ', in another order' : ''}.`,
        ],
      };
    case 'different':
      return {
        tone: 'bad',
        heading: 'Run again',
        sentences: [
          `Re-run just now ${where(outcome.by)}: different rows (${rows(outcome.rows)}).`,
          ...(outcome.by ? [] : ['The tables here may be others of the same name.']),
        ],
      };
    case 'impossible':
      return { tone: 'plain', heading: 'Not run again', sentences: [`${outcome.why}`] };
  }
}
