/** A rating with a text: its stars, its author if there is a name, and its title and text. */
export type Opinion = readonly [
  rating: number,
  author: string | null,
  title: string,
  text: string | null,
  reply?: string,
];

/** Ratings that say something about one app. */
export const opinions: Record<string, readonly Opinion[]> = {
  'Time Tracker': [
    [5, 'Grace H.', 'Just works', 'One click, and my timesheet writes itself.'],
    [4, null, 'Good, could be darker', 'A dark theme would be nice.'],
    [5, 'Priya', 'We all use it', null],
    [
      3,
      'Jonas from Bergen',
      'Forgets to stop',
      'It ran through the night once. My client was not amused.',
      'Sorry! Version 1.1.0 asks after eight hours.',
    ],
    [
      5,
      'Lena Vogt',
      'My Fridays are back',
      'I used to spend two hours on timesheets. Now it is ten minutes.',
    ],
    [4, 'R. Okafor', 'Rounding is great', 'Six minutes is exactly what our lawyers need.'],
    [2, null, 'No offline mode', 'On the train it loses the connection, and then the minute.'],
    [5, 'Sofia', 'Six stars if I could', null],
  ],
  'Git Link': [
    [5, null, 'No more copying of links', null],
    [4, 'Henrik', 'Nearly perfect', 'Works with two of our three hosts.'],
    [
      5,
      'Mei-Ling',
      'The branch button!',
      'It names branches better than we do.',
      'Thank you! The pattern can be changed in the settings, by the way.',
    ],
    [5, 'backend-team', 'Installed on day one', null],
  ],
  'Burndown Charts': [
    [4, 'Paulo', 'Honest', 'It says what we did not want to hear.'],
    [5, 'Aisha K.', 'The range is the point', 'Our management finally stopped asking for a date.'],
    [3, null, 'Slow on big boards', 'With more than 5,000 tasks it takes half a minute.'],
  ],
  'Smart Summary': [
    [5, null, 'Three sentences, all true', null],
    [
      2,
      'Ben',
      'Too short for me',
      'It leaves out who decided.',
      'Since version 1.1.0 the decision has a link to its comment. I hope that helps.',
    ],
    [5, 'Clara M.', 'After my holiday', 'Two weeks of threads in one coffee.'],
    [4, 'Dimitri', 'Very good in English', 'Less good in Greek, but it admits it.'],
  ],
  'Invoice Maker': [
    [4, 'Tove', 'Paid on time since', null],
    [5, 'Studio Blau', 'Clients ask fewer questions', 'The grouping by order makes the difference.'],
    [3, null, 'Two currencies on one invoice?', 'I have to make two invoices.'],
  ],
  'Chat Bridge': [
    [
      1,
      'Noor',
      'Loud',
      'Every comment rings. Where do I switch it off?',
      'In Board → Chat → What is posted. "Mentions" is the quiet one.',
    ],
    [5, 'Ines', 'Threads stay together', null],
    [4, null, 'Good after some settings', 'The default is quiet, our administrator was not.'],
  ],
  'Meeting Notes': [
    [5, 'Ola', 'We end on time', 'The polite timer is very polite, and it works.'],
    [5, 'Farah', 'Decisions!', 'Finding a decision of last spring took four seconds.'],
    [4, null, 'Please add a template for retrospectives', null],
    [5, 'Marek', 'Nobody asks who writes it down', null],
  ],
  'Deal Pipeline': [
    [5, 'Ulrike', 'For people with forty customers', 'Exactly as described.'],
    [4, null, 'Simple', 'I miss an import from spreadsheets.'],
    [2, 'Greg', 'Too simple', 'We are twelve in sales, and it is not for us.'],
  ],
  'مترجم المهام': [
    [5, 'سارة', 'أخيرًا', 'الواجهة من اليمين إلى اليسار صحيحة في كل صفحة.'],
    [4, 'Yusuf', 'Good, and it keeps names', 'Our team in Cairo and our team in Leeds read the same board.'],
    [5, null, 'القاموس ممتاز', null],
  ],
  'Client Portal': [
    [5, 'Agentur Nord', 'Fewer calls', 'Our clients look first and call later.'],
    [4, 'Kim', 'The lock is reassuring', null],
  ],
  'Quick Capture': [
    [5, 'Theo', 'Muscle memory', null],
    [4, null, 'Understands "next friday" better than my boss', null],
  ],
  'Cycle Time': [
    [5, 'Annika', 'Painful and useful', 'Our tasks wait in review. Now we know.'],
    [5, null, 'No ranking of people', 'Thank you for that.'],
  ],
  'Office Plants': [[5, 'Facility team', 'The ficus lives', null]],
  'Lunch Roulette': [
    [5, 'Bao', 'I met our accountant', 'She knows everything.'],
    [3, null, 'Nice idea, noisy wheel', null],
  ],
  'The Patient Companion for Teams That Cannot Agree on Where Anything Should Be Filed': [
    [4, 'Archivist', 'Long name, short discussions', 'We agreed on 61 places in four weeks.'],
  ],
  'Flash Cards': [
    [5, 'Nurse training', 'Five minutes a day', 'Our new colleagues pass the test a week earlier.'],
  ],
  'Task Estimator': [
    [4, 'Sam', 'Says when it does not know', null],
    [2, null, 'It does not know very often', 'We have only 80 tasks. That is probably too few.'],
  ],
};

/** Ratings that administrators hid, with the reason. */
export const hiddenOpinions: readonly { app: string; opinion: Opinion; reason: string }[] = [
  {
    app: 'Time Tracker',
    opinion: [
      1,
      'TimerPro Sales',
      'Use TimerPro instead!!!',
      'Best tracker is TimerPro, 80% off this week: visit our page.',
    ],
    reason: 'Advertising for another product.',
  },
  {
    app: 'Chat Bridge',
    opinion: [1, null, 'The developer is an idiot', 'Everyone who buys this is one, too.'],
    reason: 'It insults people and says nothing about the app.',
  },
  {
    app: 'Goal Dashboard',
    opinion: [5, 'A. Customer', 'Best app ever', 'Best app ever, buy it now. Best app ever, buy it now.'],
    reason: 'One of eleven identical ratings from the same network. The author was asked and did not reply.',
  },
];
