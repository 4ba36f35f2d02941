import { Environment } from '../modules/listings/app.entity.js';
import { Category } from '../modules/listings/listing.entity.js';
import { app, type DemoApp, featured, inCategory, live, rejected, suspended, waiting } from './demo-app.js';

/** The apps for people who build software and look at figures. */
export const technicalApps: readonly DemoApp[] = [
  ...inCategory(Category.UTILITIES, [
    app('developer', 'Board Export', waiting(20), {
      description: 'Exports boards as CSV, PDF or Markdown.',
      story: 'Your board is yours. Board Export gives it to you as a file, whenever you want.',
      screens: ['Choose the format', 'Scheduled exports'],
      hasBanner: true,
    }),
    app('kofi', 'Batch Rename', live(92, 12, 5), {
      description: 'Renames hundreds of tasks by a pattern, with a preview.',
      story: 'Renaming one task is easy. Renaming four hundred is a job for a pattern.',
      screens: ['Every change in a preview', 'Patterns that you saved'],
    }),
    app('yuki', 'Colour Labels', waiting(9), {
      description: 'Colours cards by rules: by age, by owner, by anything in a field.',
      story:
        'Colour Labels paints your board by rules, so that you see the important cards from across the room.',
      screens: ['A board with rules', 'The editor of rules'],
    }),
    app('marta', 'Print View', live(64, 20, 4), {
      description: 'Prints boards and lists so that they are readable on paper.',
      story: 'For walls, for workshops, for people who think with a pen.',
      screens: ['A board on one page', 'Cards to cut out'],
    }),
    app('lars', 'Link Checker', live(33, 35, 2), {
      description: 'Visits every link on your boards at night and reports those that broke.',
      story:
        'Links rot. Link Checker visits every link on your boards once a night, slowly and politely, and writes a comment where one is broken.',
      screens: ['The report of last night', 'A broken link on its task'],
      environment: Environment.staging,
    }),
  ]),
  ...inCategory(Category.DEVELOPER_TOOLS, [
    app('grace', 'Git Link', featured(131, 13, 38), {
      description: 'Links commits and pull requests to tasks.',
      story: `Write the number of a task into a commit, and the two know each other from then on.

\`\`\`
git commit -m "Round hours up to six minutes (TT-142)"
\`\`\``,
      screens: ['Commits on a task', 'Pull requests of the week', 'Choose your host'],
      hasBanner: true,
    }),
    app('grace', 'Release Notes', live(77, 25, 9), {
      description: 'Writes release notes from the tasks of a milestone.',
      story:
        'Release Notes collects the finished tasks of a milestone, groups them by label and writes a first version that a person can finish in five minutes.',
      screens: ['From tasks to text', 'The published page'],
    }),
    app('grace', 'Sandbox Helper', live(112, 6, 3), {
      description: 'Fills a local board with sample tasks.',
      story:
        'For developers of apps: Sandbox Helper fills an empty board with tasks, people and comments that look real.',
      screens: ['A board in one second', 'Choose what you need'],
      environment: Environment.localhost,
    }),
    app('yuki', 'API Console', live(44, 11, 5), {
      description: 'Sends requests to the API of your workspace, with completion and history.',
      story:
        'Try every request before you write code for it. The console knows the schema, completes what you type, and keeps the last thousand requests on your machine only.',
      screens: ['Requests with completion', 'The history'],
      environment: Environment.localhost,
    }),
    app('lars', 'Webhook Tester', live(28, 31, 3), {
      description: 'Receives webhooks, shows them, and sends them again.',
      story:
        'Point a webhook at your private address, and see each delivery with its headers, its signature and its body. Send it again to your own machine when you have changed the code.',
      screens: ['Deliveries as they arrive', 'A failed signature, explained'],
      environment: Environment.staging,
    }),
    app('marta', 'Flag Board', waiting(2), {
      description: 'Shows which feature flags are on, for whom, and which task they belong to.',
      story:
        'A feature flag without an owner lives for ever. Flag Board gives each one a task, an owner and a date on which somebody has to decide.',
      screens: ['Flags and their owners', 'Flags that can go'],
      environment: Environment.staging,
    }),
  ]),
  ...inCategory(Category.ANALYTICS, [
    app('grace', 'Burndown Charts', featured(119, 10, 27), {
      description: 'Shows how much is left, and when it will be done.',
      story: 'A burndown chart has one job: to say, early enough, that it will not fit.',
      screens: ['Four weeks and a forecast', 'What was added later'],
      hasBanner: true,
    }),
    app('grace', 'Workload Map', live(86, 33, 8), {
      description: 'Shows who has too much on their plate.',
      story:
        'Each person is a row, each week is a cell, and the colour says whether it fits. Drag a task to another person and see both rows change.',
      screens: ['The next six weeks', 'One person in detail'],
    }),
    app('marta', 'Cycle Time', live(41, 16, 10), {
      description: 'Measures how long tasks really take, from the first move to the last.',
      story: 'How long does a task take? Most teams guess, and most teams guess half of it.',
      screens: ['Every task is a dot', 'Where tasks wait'],
      hasBanner: true,
    }),
    app('yuki', 'Goal Dashboard', live(24, 8, 11), {
      description: 'Connects goals with the tasks that lead to them, on one screen.',
      story:
        'Goals live in a presentation, tasks live on a board, and nobody knows how they are connected. Goal Dashboard draws the lines.',
      screens: ['Goals and their trend', 'Tasks behind a goal'],
    }),
    app('lars', 'Activity Monitor', suspended(60, 37, 6), {
      description: 'Measures activity on boards and shows it by person and hour.',
      story: 'Activity Monitor counts what happens on your boards and draws it by hour.',
      screens: ['Activity by hour', 'Comparison of teams'],
    }),
  ]),
  ...inCategory(Category.AI_ML, [
    app('kofi', 'Smart Summary', featured(122, 27, 34), {
      description: 'Summarises long threads into three sentences.',
      story:
        'Forty comments, three sentences. Smart Summary reads a thread and says what was decided, what is open, and who is waited for.',
      screens: ['Forty comments, three sentences', 'Every sentence has a source'],
      hasBanner: true,
    }),
    app('kofi', 'Duplicate Finder', live(80, 14, 9), {
      description: 'Finds tasks that say the same in other words.',
      story: '"Login broken", "cannot sign in", "password page shows an error": three tasks, one problem.',
      screens: ['Suggestions while you type', 'Merge two tasks'],
    }),
    app('yuki', 'Task Estimator', live(30, 21, 13), {
      description: 'Suggests an estimate from similar tasks of your own team, and says how sure it is.',
      story: 'The best estimate is the last similar task. Task Estimator finds it.',
      screens: ['An estimate and its reasons', 'How good were we?'],
    }),
    app('amina', 'مترجم المهام', live(62, 29, 16), {
      description: 'يترجم المهام والتعليقات بين العربية والإنجليزية دون أن يغيّر الأسماء والروابط.',
      story: `يعمل فريقك بلغتين؟ يعرض **مترجم المهام** كل مهمة وكل تعليق بلغة القارئ، ويُبقي النص الأصلي على بُعد نقرة واحدة.

- يحافظ على الأسماء والروابط والأرقام مثل \`TT-142\`
- قاموس خاص بفريقك: كلماتكم أنتم لا كلماتنا`,
      screens: ['المهمة نفسها بلغتين', 'قاموس الفريق'],
      hasBanner: true,
      folder: 'task-translator',
    }),
    app('marta', 'Auto Tagger', rejected(11, 26), {
      description: 'Reads new tasks and adds the labels that fit.',
      story:
        'Labels are useful if everyone uses them, and nobody does. Auto Tagger reads each new task and adds the labels that fit.',
      screens: ['Labels appear by themselves', 'Teach it with examples'],
    }),
  ]),
];
