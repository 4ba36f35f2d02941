import { Category } from '../../modules/listings/listing.entity.js';
import { type DemoApp, featured, live, rejected } from '../demo-app.js';

const category = Category.AI_ML;

export const aiMlApps: DemoApp[] = [
  {
    owner: 'kofi',
    name: 'Smart Summary',
    category,
    description: 'Summarises long threads into three sentences.',
    story: `Forty comments, three sentences. Smart Summary reads a thread and says what was decided, what is open, and who is waited for.

## What it writes

1. The decision, with a link to the comment in which it was made
2. The open question
3. The next step and its owner

If there was no decision, it says so. *It never invents one.*

## Which model?

A small one that runs in our own data centre in Accra. Your texts are not stored and not used for training. Read the [model card](https://kofi.example/smart-summary/model).`,
    screens: ['Forty comments, three sentences', 'Every sentence has a source'],
    hasBanner: true,
    past: featured(122, 27, 34),
  },
  {
    owner: 'kofi',
    name: 'Duplicate Finder',
    category,
    description: 'Finds tasks that say the same in other words.',
    story: `"Login broken", "cannot sign in", "password page shows an error": three tasks, one problem.

Duplicate Finder compares the meaning of a new task with those that exist, and suggests the closest three. You decide whether to merge them; the comments of both are kept.`,
    screens: ['Suggestions while you type', 'Merge two tasks'],
    past: live(80, 14, 9),
  },
  {
    owner: 'yuki',
    name: 'Task Estimator',
    category,
    description: 'Suggests an estimate from similar tasks of your own team, and says how sure it is.',
    story: `The best estimate is the last similar task. Task Estimator finds it.

- Learns from your own board only
- Says *I do not know* when there is nothing similar
- Shows the five tasks that it compared with, so that you can disagree`,
    screens: ['An estimate and its reasons', 'How good were we?'],
    past: live(30, 21, 13),
  },
  {
    owner: 'amina',
    name: 'مترجم المهام',
    folder: 'task-translator',
    category,
    description: 'يترجم المهام والتعليقات بين العربية والإنجليزية دون أن يغيّر الأسماء والروابط.',
    story: `يعمل فريقك بلغتين؟ يعرض **مترجم المهام** كل مهمة وكل تعليق بلغة القارئ، ويُبقي النص الأصلي على بُعد نقرة واحدة.

## المزايا

- ترجمة فورية بين العربية والإنجليزية والفرنسية
- يحافظ على الأسماء والروابط والأرقام مثل \`TT-142\`
- قاموس خاص بفريقك: كلماتكم أنتم لا كلماتنا
- واجهة كاملة من اليمين إلى اليسار

## كيف تبدأ

1. ثبّت التطبيق على اللوحة.
2. اختر لغتك من صفحة الإعدادات.
3. اكتب بلغتك، وسيقرأ زملاؤك بلغتهم.

نشرح [كيف نحمي نصوصكم](https://nuqta.example/privacy) على موقعنا.`,
    screens: ['المهمة نفسها بلغتين', 'قاموس الفريق'],
    hasBanner: true,
    past: live(62, 29, 16),
  },
  {
    owner: 'marta',
    name: 'Auto Tagger',
    category,
    description: 'Reads new tasks and adds the labels that fit.',
    story: `Labels are useful if everyone uses them, and nobody does. Auto Tagger reads each new task and adds the labels that fit.

You teach it with twenty examples. After that it asks only when it is not sure.`,
    screens: ['Labels appear by themselves', 'Teach it with examples'],
    past: rejected(11, 26),
  },
];
