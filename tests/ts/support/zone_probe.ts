/** Prints what imports of dates and instants answer, for a test that runs this in processes of different time zones. */
import { ScenarioPlayer } from './scenario.ts';
import type { Step } from './steps.ts';

const files = ['35a-dates-1900.xlsx', '35b-dates-1904.xlsx', '35c-dates-mixed-with-text.xlsx', '54-offsets.csv'];
const web = Object.fromEntries(files.map((name) => [`https://files.example/${name}`, { case: name }]));
const player = new ScenarioPlayer({ files: web });
const answers: unknown[] = [];
const steps: Step[] = files.flatMap((name, i) => [
  { tool: 'import_table', arguments: { table: `t${i}`, source_url: `https://files.example/${name}` } },
  { tool: 'query', arguments: { sql: `SELECT * FROM t${i}` } },
]);
const failures = await player.play(steps, (answer) => {
  if ('columns' in answer.value) answers.push(answer.value.columns, answer.value.rows);
});
player.close();
console.log(JSON.stringify({ failures, answers }));
