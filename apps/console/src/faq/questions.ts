import { apiQuestions } from './api-questions.ts'

/** A question with its answer in paragraphs, and the screens that show more. `also`: other words people look for it by. */
export type Question = {
  id: string
  question: string
  answer: readonly string[]
  links?: readonly { to: string; label: string }[]
  also?: string
}
export type QuestionGroup = { title: string; questions: readonly Question[] }

const assets = { to: '/assets', label: 'Assets' }
const profile = { to: '/profile', label: 'Profile' }
const team = { to: '/profile?tab=team', label: 'Team' }

export const questionGroups: readonly QuestionGroup[] = [
  {
    title: 'SIMs and assets',
    questions: [
      {
        id: 'register',
        question: 'How do I register an asset?',
        answer: [
          'Open Assets and choose Register asset. Type the serial number that is printed on the device or its box, or the ICCID of the SIM. A code on the box leads to the same form with the number filled in.',
          'If the number is not known, compare it with the label: only numbers in this installation’s stock can be registered. If somebody else has registered it, ask whoever runs this installation.',
        ],
        links: [assets],
        also: 'add new sim qr code serial number iccid claim',
      },
      {
        id: 'activate',
        question: 'How do I activate or deactivate a SIM?',
        answer: [
          'Open the menu of the asset and choose Activate SIM or Deactivate SIM. A SIM that is ready becomes active by itself with its first session.',
          'Deactivating cuts a running session: we ask the gateway to end it, and repeat the request if it does not answer. If the gateway refuses, you get an alert. After ten tries in about three hours we stop until the session reports again, and the activities say so. An inactive SIM can connect again once you activate it.',
          'Switch off asset, in the same menu, blocks all SIMs of an asset and leaves the state of each as it is. Switch on asset removes that block.',
        ],
        links: [assets],
        also: 'enable disable suspend pause turn on off',
      },
      {
        id: 'blocked',
        question: 'Why is my SIM blocked, and what brings its service back?',
        answer: [
          'A block is separate from the state you chose and never changes it. The page of the asset shows each block: since when, set by whom, and what clears it.',
          'A SIM that reached its data limit can connect again at the start of the next month (UTC), or when the limit is raised. When the last block is cleared, the SIM has the state you gave it.',
        ],
        links: [{ to: '/assets?sim_status=blocked', label: 'Blocked SIMs' }],
        also: 'no service limit reached stuck cut off data limit imei mismatch staff suspended',
      },
      {
        id: 'states',
        question: 'What do the states of a SIM mean?',
        answer: [
          'Inventory: not yet released to you. Ready: registered, and active with its first session. Active: it has service. Inactive: you switched it off. Standby: parked, and active again when it connects. Terminated: permanently out of service.',
          'Blocked is shown in place of a state that would have service, while a block stands.',
        ],
        also: 'ready active inactive standby terminated inventory status',
      },
      {
        id: 'apn',
        question: 'My device does not connect. What do I check?',
        answer: [
          'First the page of its asset: is the SIM active or ready, and without a block? Then the APN on the device: the console shows which APN the last session used, the device has to be set to the one you were given.',
          'The list of sessions shows how each one ended. If there is none at all, the network has rejected the device, or has not reported it. Check the signal, that the SIM is seated correctly, and that roaming is on.',
        ],
        links: [assets],
        also: 'apn offline attach rejected connection roaming no session cannot',
      },
      {
        id: 'online',
        question: 'When is an asset online?',
        answer: [
          'While its SIM has an open session that the gateway keeps reporting. A session without a report for three reporting intervals counts as silent, and the asset as offline. Where no interval is set at the gateway, we assume five minutes.',
        ],
        also: 'offline silent last seen session',
      },
      {
        id: 'network-groups',
        question: 'How do I limit where my SIMs may be used, and how much?',
        answer: [
          'Under Cellular, Network Groups, make a group: data per SIM, countries and operators, technologies. Put assets into it from the list of assets, one or many at a time. A SIM is in one group; one that nobody put anywhere is in Default. Its own data limit wins over the limit of its group.',
          'A SIM that asks for access from a country, operator or technology that its group does not allow is rejected with the reason, and a session that moves there is cut. That is no block: as soon as the device is somewhere allowed, it has service. Requests that name no network are accepted.',
          'Before you save, the group says how many SIMs are affected, how many are cut, and how many will find no operator.',
        ],
        links: [{ to: '/network-groups', label: 'Network groups' }],
        also: 'country roaming operator restrict allow list steering rat 2g 3g lte nb-iot 5g apn group limit',
      },
      {
        id: 'network-events',
        question: 'What does the network say about my asset?',
        answer: [
          'Its Network tab has the operators of the last 30 days, its sessions, and one time line: access accepted or rejected with the reason, sessions, changes of operator and device, and what people, support staff and alerts did at the same time. What repeats within an hour is one line with its count.',
        ],
        links: [assets],
        also: 'timeline rejected attach imei changed operator changed cell history connection events',
      },
      {
        id: 'tags',
        question: 'What are tags for?',
        answer: [
          'They group assets in your own terms: by site, by customer, by kind. You can filter the list by them, and limit a member of your team to some: such a member can see and change only assets with one of these tags, everywhere in the console and by API.',
        ],
        links: [assets],
        also: 'label group colour limit members',
      },
    ],
  },
  {
    title: 'Data usage',
    questions: [
      {
        id: 'delay',
        question: 'My device has used data that is not shown yet. When is it?',
        answer: [
          'Usage is counted when a gateway reports it: when a session starts, in intervals while it lasts, and when it ends. What is reported is in the total of the SIM at once, and in the charts within about two seconds.',
          'Data used since the last report is therefore missing until the next one.',
        ],
        links: [{ to: '/usage/total', label: 'Total Data Usage' }],
        also: 'late not counted missing delay realtime live',
      },
      {
        id: 'held-back',
        question: 'Usage of earlier days appeared only now. Why?',
        answer: [
          'It was reported and could not be counted at first: the SIM number was not known yet, or the gateway reported more than its link can carry. Such usage waits in quarantine until support staff match it to a SIM or confirm it. It is then counted once, and counts against the data limit of the SIM.',
          'Your activities say what was counted, when, by whom and why.',
        ],
        links: [{ to: '/activities?category=backoffice', label: 'What support staff did' }],
        also: 'quarantine late days ago sudden jump unknown sim matched',
      },
      {
        id: 'month',
        question: 'When does a usage period begin and end?',
        answer: ['With the calendar month in UTC. A data limit counts from zero again on the first day, at 00:00 UTC.'],
        also: 'billing cycle month reset period limit renew',
      },
      {
        id: 'units',
        question: 'How are megabytes and gigabytes counted?',
        answer: [
          'In decimal units: 1 kB is 1,000 bytes, 1 MB is 1,000 kB, 1 GB is 1,000 MB. Both directions count: what the device sends and what it receives. Tools that count in steps of 1,024 show smaller numbers for the same data.',
        ],
        also: 'bytes kb mb gb 1024 1000 rounding',
      },
      {
        id: 'limit-proof',
        question: 'How do I prove that a limit was held?',
        answer: [
          'Each limit that was reached is listed with the time from the report to the Disconnect-Request and to the end of the session, and the bytes beyond it. Open one to see it step by step, with the place of the decision in the hash chain of your activities. You can print it or download it as JSON.',
        ],
        links: [{ to: '/enforcements', label: 'How limits were held' }],
        also: 'enforcement latency proof disconnect cut evidence audit',
      },
      {
        id: 'overshoot',
        question: 'Why can a SIM use a little more than its limit?',
        answer: [
          'We know what a SIM has used when the gateway reports it. With the report that reaches the limit the SIM is blocked, its session is cut, and new ones are refused. What it used after the last report before the limit cannot be undone.',
        ],
        also: 'limit exceeded over more than quota overshoot',
      },
      {
        id: 'correction',
        question: 'What if usage was counted wrongly?',
        answer: [
          'Contact whoever runs this installation, with the SIM and the day. Their staff can correct what was counted on a day, with a reason. Every figure follows at once: charts, totals, the limit, and a SIM that was blocked at its limit can connect again when the limit is no longer reached.',
          'A correction is shown in the activities and on the asset, under “Corrections of usage”, with its reason. If the month of that day is closed, it becomes an adjustment in the first month that is still open. Sessions keep the counters that the gateway reported.',
        ],
        links: [{ to: '/activities?category=assets', label: 'Activities' }],
        also: 'correction adjustment refund mistake dispute staff changed counted twice',
      },
      {
        id: 'export',
        question: 'Can I get my numbers out?',
        answer: [
          'Yes. The list of assets, the usage and the activities can be exported as CSV, with the filters you have set. Charts can be saved as a picture or as CSV. Everything is also in the API.',
        ],
        links: [{ to: '/usage/total', label: 'Total Data Usage' }],
        also: 'csv excel download export report',
      },
    ],
  },
  {
    title: 'Team and access',
    questions: [
      {
        id: 'invite',
        question: 'How do I let a colleague work on my account?',
        answer: [
          'Invite them by e-mail under Profile, Team, choose their permissions and, if you like, tags that limit which assets they see. They get an e-mail, and find the invitation in their notifications. Where no e-mail is sent, you get a link to give to them. An invitation is valid for seven days; the menu beside it renews it. Later changes apply from their next request on.',
        ],
        links: [team],
        also: 'team member invitation permission role user add person',
      },
      {
        id: 'invited',
        question: 'Somebody invited me. Where do I accept?',
        answer: [
          'Under Notifications, in Invitations; the bell in the bar at the top counts them. Sign in with the address the invitation was sent to. If your address is not confirmed yet, open the invitation link: it is in the e-mail, or the person who invited you gives it to you. Afterwards you switch between accounts in the bar at the top.',
        ],
        links: [{ to: '/notifications?tab=invitations', label: 'Invitations' }],
        also: 'accept reject decline join team pending bell',
      },
      {
        id: 'lacking',
        question: 'Why can I not open a screen, or use a button?',
        answer: [
          'On somebody else’s account you have the permissions that you were granted there. A disabled button says which permission it needs; a screen that you may not see leads to a page that names the missing permission. Ask the owner of the account to change your permissions; for a screen of the backoffice, ask a colleague who manages staff.',
        ],
        also: 'permission forbidden denied disabled grey access 403',
      },
      {
        id: 'activities-seen',
        question: 'Why does a colleague see other activities than I do?',
        answer: [
          'Activities need the permission of the screens they are about: to see assets for those of assets and tags, to see API keys for those of keys and webhooks, to see the profile for those of sign-in, the team and support staff. Tags limit them to your assets. You always see what you did yourself.',
          'The same holds for the export, the overview, API keys by their scopes, and webhooks by what their creator may see.',
        ],
        links: [{ to: '/activities', label: 'Activities' }],
        also: 'activity log audit missing hidden member permission webhook hears',
      },
      {
        id: 'second-factor',
        question: 'How do I protect my account better?',
        answer: [
          'Under Profile you can switch on two-factor authentication with an authenticator app, keep recovery codes, add passkeys, and see and end the sessions you have open. Changes to these raise alerts.',
          'Under Team everybody who works on an account sees who of them has no second factor. Its owner can require two-factor authentication of everybody there.',
        ],
        links: [profile, team],
        also: 'two-factor 2fa totp passkey password security recovery codes sessions',
      },
      {
        id: 'closing',
        question: 'How do I take my data with me, or close my account?',
        answer: [
          'Under Profile, in Your data, the owner of an account can have everything exported into one file, which can be downloaded for three days. There they can also close the account: SIMs lose their service at once, and members, API keys and webhooks their access.',
          'A closed account can be reopened for 30 days. Then assets, activities and the sign-in are removed for good.',
        ],
        links: [profile],
        also: 'export download gdpr delete remove account data portability close reopen erase',
      },
      {
        id: 'staff',
        question: 'Can support staff see my account?',
        answer: [
          'Only after they have given a reason and confirmed their identity again, and only for a limited time. Each view and each change is in your activities with their IP address and their reason, and raises an alert.',
        ],
        links: [{ to: '/activities?category=backoffice', label: 'What support staff did' }],
        also: 'support backoffice privacy access staff audit',
      },
    ],
  },
  apiQuestions,
]
