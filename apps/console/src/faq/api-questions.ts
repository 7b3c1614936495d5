import type { QuestionGroup } from './question.ts'

/** What happens, and what programs can do. */
export const apiQuestions: QuestionGroup = {
  title: 'Alerts, activities and the API',
  questions: [
    {
      id: 'new-rows',
      question: 'Why does a list say “3 new”?',
      answer: [
        'A list is in order when you open it. What comes while you read waits above it, so that nothing moves under your eyes; what is there changes in its place. Press “3 new” to see it.',
      ],
      also: 'live update order jump refresh rows log',
    },
    {
      id: 'alerts',
      question: 'Which alerts are there, and how do I get fewer?',
      answer: [
        'Blocked SIMs, sessions that a gateway would not end, webhooks that keep failing, changes to who can get in, and support staff on your account. One cause is one alert: what happens again is counted, and when the cause ends the alert resolves by itself.',
        'What is open stands first, the worst at the top, and the bell has a red mark while a critical alert is open. What you did yourself is kept apart: the filter “About what you did” shows it.',
        'Under Notifications, in Preferences, you choose the severities for each channel and the alert types, set quiet hours or a time of one e-mail a day, and after what time an alert may repeat.',
      ],
      links: [{ to: '/notifications?tab=preferences', label: 'Preferences' }],
      also: 'notification mail e-mail too many digest daily quiet hours cool-down severity mute',
    },
    {
      id: 'rules',
      question: 'Can I be notified by rules of my own, and can a rule act?',
      answer: [
        'Under Notifications, in Rules: choose what is measured of a day (UTC), how much is too much, or too little, and of which assets, by a line as in the search of the assets list. The severity decides how you are notified; only critical alerts mark the bell.',
        'A rule can also activate or deactivate the SIM, block it, put it on standby, lock it to its device, give it a data limit or move it to a network group, at once or later, and several of these together. Until then it can be called off, afterwards it can be taken back, also of itself when the next day or month begins. It acts on no more SIMs a day than you say; of others it only notifies.',
        'A rule acts with the rights of whoever saved it or switched it on last. When they may no longer change SIMs, it only notifies. You get an alert when a rule that is on does not work as it should, for that or because a tag that it names is gone.',
        'It can also be what a SIM used in one hour, in the month so far or in all, what several assets used together, a share of its data limit or of its pool, several times what it usually uses, what it cost in one day or in the month so far, that its state changed, that a data pool ends soon and does not renew, or that a view of the team is not empty. A share of a limit is of the limit as it is now; what was taken of a pool, whether it renewed, or what stood in a view, on an earlier day is not kept, so a trial shows today alone. Little data fires when the day is over, for SIMs that were active since before it; one that a block kept from sending does not count.',
        'Try a rule on the last 30 days before you switch it on: that changes nothing. Rules are checked each minute. Silence, in the menu of a rule, has it notify nobody and change no SIM until a time; what it fires for stands in its history, and what it did to a SIM for a while is taken back when that is over.',
      ],
      links: [{ to: '/notifications?tab=rules', label: 'Rules' }],
      also: 'alert rule threshold automation watch dry run trial deactivate activate block standby lock limit next month cost cool-down silence mute snooze little silent sessions state',
    },
    {
      id: 'images',
      question: 'How do my devices get images from the registry?',
      answer: [
        'Push an image with docker or podman: the screen has the three commands. The password is the secret of a robot, which reaches the registry and nothing else, or of an API key. Activities name the robot that pushed. Devices pull by the same name.',
        'A protected tag goes on naming what it names, whoever pushes. Environment variables of an image are shown by name only. When the storage of the account is used up, pushes are refused and pulls go on.',
        '“Deploy” on a tag puts it on a device, or on a fleet by its pilot. “Where it runs” brings it to devices that have another tag of the repository, or that run what the tag named before it was pushed anew.',
      ],
      links: [{ to: '/registry', label: 'Registry' }],
      also: 'docker podman container image push pull login robot tag quota deploy update latest moved',
    },
    {
      id: 'proof',
      question: 'How do I know that nobody changed the activities afterwards?',
      answer: [
        'The activities form a hash chain: each entry carries a hash of itself and of the one before it, so nothing can be altered, removed or inserted without breaking the chain. The foot of Activities shows the newest entry that you see of your chain. Keep a copy of it elsewhere: whoever runs this installation can check that it is still in the chain, with the command activities verify.',
        'A change of many assets is one line in the list, and an entry for each of its assets in the chain: so the chain may have more entries than the list has lines.',
      ],
      links: [{ to: '/activities', label: 'Activities' }],
      also: 'audit log hash chain tamper proof immutable',
    },
    {
      id: 'api',
      question: 'Is there an API?',
      answer: [
        'Yes: everything the console does goes through it. Create a key under API Keys, give it only the permissions it needs, and send it in the header X-Api-Key. A key never has more permissions than the person who created it. Every call is described, and can be tried with a key.',
      ],
      links: [
        { to: '/developer', label: 'API Keys' },
        { to: '/docs', label: 'Description of the API' },
      ],
      also: 'rest key token openapi automate script integration',
    },
    {
      id: 'webhooks',
      question: 'Can my own systems be notified of events?',
      answer: [
        'Yes, by webhooks: you choose the events, each delivery is signed, and one that fails is tried again over about a day. A webhook that keeps failing is paused and raises an alert.',
        'Choose usage.hour for usage: some minutes after each hour come the SIMs that used data in it, up to 400 in a delivery, each with its bytes. What is reported later is still in the usage that the API answers, and in its stream.',
        'A change of many assets at once is sent as one event (assets.assets_changed) with its counts and the address of a CSV file that says what became of each asset.',
      ],
      links: [{ to: '/developer?tab=webhooks', label: 'Webhooks' }],
      also: 'webhook push callback event http hook signature usage hour',
    },
    {
      id: 'stream',
      question: 'Can I have usage and events streamed to my own systems?',
      answer: [
        'Yes: GET /v1/stream with an API key answers with server-sent events, one for each usage record and each activity that the key may read. A client that reconnects sends the last id it received in the header Last-Event-ID and goes on there, so nothing is lost while it is away, for as long as usage records are kept. Where some were dropped meanwhile, an event named gap says so before the others. Usage needs the scope usage.view, activities overview.view as well.',
      ],
      links: [{ to: '/docs', label: 'Description of the API' }],
      also: 'sse server-sent events real time push export data lake kafka resume last-event-id',
    },
    {
      id: 'keys',
      question: 'Can I use the console without a mouse?',
      answer: [
        'Yes. Ctrl K (⌘ K on a Mac) finds screens, assets and actions, / goes to the search of a list, and ? shows all keys. Everything can be reached with Tab.',
      ],
      also: 'keyboard shortcuts palette accessibility',
    },
  ],
}
