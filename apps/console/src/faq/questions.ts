import { apiQuestions } from './api-questions.ts'
import { deviceQuestions } from './device-questions.ts'
import type { QuestionGroup } from './question.ts'
import { simQuestions } from './sim-questions.ts'

const profile = { to: '/profile', label: 'Profile' }
const team = { to: '/profile?tab=team', label: 'Team' }

export const questionGroups: readonly QuestionGroup[] = [
  simQuestions,
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
        links: [{ to: '/activities?actor=staff', label: 'What support staff did' }],
        also: 'quarantine late days ago sudden jump unknown sim matched',
      },
      {
        id: 'by-country',
        question: 'In which countries is data used, and which operators let my SIMs in?',
        answer: [
          'Total Data Usage has a map of the countries and a list of the operators, with the change from the period before. Beside each operator stands how many SIMs it refused in the last 24 hours, as far as its refusals reach us. A line in the chart shows from where on late reports may still change it.',
          'Below are the SIMs that are meant to be active and used nothing in the period, with when each last sent data.',
        ],
        links: [{ to: '/usage/total', label: 'Total Data Usage' }],
        also: 'map roaming country operator refused silent zero unused choropleth',
      },
      {
        id: 'positions',
        question: 'How do I put my assets on the map?',
        answer: [
          'Set the position of an asset on its page, under Location, or have a system of yours report it with an API key, as often as it moves: PATCH /v1/assets/{asset_id} with the position. What a system reports is no activity, and what lies closer than 30 m to the position before is no move. The Overview shows all of them, those that are close together as one number. Where an asset stood before stays under Location for 30 days: in steps of ten minutes for two days, and of an hour before that.',
          'Networks report the country, the operator and the cell alone, and no position is worked out from these.',
        ],
        links: [{ to: '/assets', label: 'Assets' }],
        also: 'gps latitude longitude location marker place tracker coordinates',
      },
      {
        id: 'month',
        question: 'When does a usage period begin and end?',
        answer: [
          'With the calendar month in UTC. A data limit counts from zero again on the first day, at 12:00 AM UTC; one for a day does so each day. What a data pool has is for its own term.',
        ],
        also: 'billing cycle month reset period limit renew',
      },
      {
        id: 'units',
        question: 'How are megabytes and gigabytes counted?',
        answer: [
          'In decimal units: 1 KB is 1,000 bytes, 1 MB is 1,000 KB, 1 GB is 1,000 MB. Both directions count: what the device sends and what it receives. Tools that count in steps of 1,024 show smaller numbers for the same data.',
        ],
        also: 'bytes kb mb gb 1024 1000 rounding',
      },
      {
        id: 'limit-proof',
        question: 'How do I prove that a limit was held?',
        answer: [
          'Each limit that was reached is listed with the time from the report to the Disconnect-Request and to the end of the session, and the bytes beyond it. Open one to see it step by step, with the place of the decision in the hash chain of your activities. You can print it or download it as JSON.',
        ],
        links: [{ to: '/enforcements', label: 'Limits enforced' }],
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
        id: 'pools',
        question: 'What is a data pool, and what happens when it is used up?',
        answer: [
          'A data pool is data that SIMs share for a month or some days. Assets draw from it because you added them, or because of a tag they have. Only usage in networks of the pool’s zone is taken from it. Where a SIM draws from several pools, the one with the lowest order comes first, then the one whose term ends first. What a SIM used before you took it out of a pool is taken from that pool, also where it is reported later; the SIMs of the pool show it until the term ends.',
          'When a pool is used up, its setting “After the pool” decides: stop, a share more and then stop, or pay as you go. A SIM loses its service only when none of its pools gives it data; where only the pools of one zone are used up, it is refused in that zone alone. The next term, more data or another setting brings the service back: what a pool that you bought has in a term can be bought once more for the term that runs.',
        ],
        links: [{ to: '/datapools', label: 'Data Pools' }],
        also: 'package shared allowance overage exhausted renew',
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
        id: 'activities-of-many',
        question: 'I changed many assets at once. Where do I see what happened to each?',
        answer: [
          'The change is one line in your activities, among those of assets, whatever it changed. Open it for its result: you can download there what became of each asset, for 30 days. What it did to one asset also stands in the history of that asset, for as long as activities are kept.',
          'Whoever is limited to tags reads of the change with the count of their assets, for those 30 days; afterwards in the history of each asset.',
        ],
        links: [{ to: '/assets?changes=all', label: 'All changes of many assets' }],
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
        id: 'cards',
        question: 'Where is my card kept, and who sees its number?',
        answer: [
          'Under Billing, Payment Details, add a card. You type it into fields of the card provider, which keeps it; Masthead never has the number and shows brand, last four digits and month. Your bank may ask you to confirm.',
          'The newest card is the default; another can be made it. A card that you remove is forgotten by the provider as well.',
        ],
        links: [{ to: '/billing', label: 'Payment Details' }],
        also: 'payment method credit card visa mastercard 3-D Secure default remove billing',
      },
      {
        id: 'coupons',
        question: 'How do I redeem a coupon?',
        answer: [
          'Under Billing, Add Credits, type its code. A coupon gives credits at once, or a bonus that is added to the next credits you buy. Each works once for an account. If the payment that a bonus came with is paid back or disputed, the bonus goes back with it, and comes again if the dispute is won.',
        ],
        links: [{ to: '/billing/addcredits', label: 'Add Credits' }],
        also: 'coupon voucher code bonus promotion discount credits',
      },
      {
        id: 'costs',
        question: 'How do I keep a SIM from using data that is expensive?',
        answer: [
          'Under Billing, Payment Details, set cost limits. Above the price for a megabyte that you enter, you are warned, or SIMs have no service on networks where data costs more. What a data pool gives costs nothing and is not refused.',
          'You can also say what the data of a SIM may cost on a day. A SIM that reaches it is blocked until 00:00 UTC, or until you raise the limit; its page says so. What it used until its gateway reported is charged.',
          'PAYG Data Pricing shows on a map what a megabyte costs in each country, and lists it for each network. Filter the list for networks up to a price, or for those that your network groups allow, and take it along as CSV. You are notified when a change of your prices is planned.',
        ],
        links: [
          { to: '/billing', label: 'Payment Details' },
          { to: '/billing/pricing', label: 'Prices' },
        ],
        also: 'roaming expensive zone price list csv limit cap cost ceiling bill shock daily spend budget',
      },
      {
        id: 'no-credits',
        question: 'What happens when no credits are left?',
        answer: [
          'SIMs whose next data would be charged have no service, and their sessions are cut. Where a data pool of a SIM has data, or data costs nothing, it goes on. SIMs stay set to active: once credits are added, service is back within a minute. What was used before the cut is owed, and is paid first by what you add.',
          'Under Billing, Payment Details, have yourself warned at a balance of your choice, or have auto-refill buy credits before they run out, up to so much in a month. Without a price list nothing is charged, and nothing stops.',
        ],
        links: [
          { to: '/billing', label: 'Payment Details' },
          { to: '/billing/addcredits', label: 'Add Credits' },
        ],
        also: 'zero balance suspended blocked prepaid run out stop service owed negative auto-refill low balance warning',
      },
      {
        id: 'charges',
        question: 'How was a charge computed?',
        answer: [
          'Under Cost Activity, open its entry. It says the zone and the price list, the days and networks, how many bytes were counted and how many are billed, by which rounding, the formula, and the records that your gateway reported.',
          'Data is charged while it is used, in steps of 0.25 and the rest of a day once it is over. What is no entry yet stands greyed before the entries, the largest amounts first and all of them under Not settled yet, and opens as well. All steps together are exactly what the price list asks for the whole. What is reported after a month was closed is an adjustment of the day on which it is reported.',
          'Cost Summary adds up a month, pay as you go by the zones of your price list. Credits granted and tax on payments stand below its total, because they are no costs of the month; whoever may not see billing does not see them.',
        ],
        links: [
          { to: '/usage/cost-activity', label: 'Cost Activity' },
          { to: '/usage/cost-summary', label: 'Cost Summary' },
        ],
        also: 'tax granted total month charge price formula rounding records invoice ledger entry late adjustment pending unsettled why',
      },
      {
        id: 'reports',
        question: 'How do I get all usage records, sessions or SIMs as a file?',
        answer: [
          'Under Reports, have a report made as CSV, JSON or XLSX, once or each day, week or month. It is made in the background of what whoever asked may see, and its file is kept for 30 days. CDR detail lists usage records about in the order in which they came, with the address of their session and, for who sees billing, zone and price. A record has a cost of its own only where your price list rounds each record; where it rounds sessions, days or months as a whole, or a data pool or a free test gave of it, cost_micros is empty, and Cost detail has what was charged. Cost detail is of days in UTC, as invoices are: a schedule of it waits until they are over.',
          'A link can be mailed to people without an account: it works for seven days, and as long as who asked for the report may see what is in it.',
        ],
        links: [{ to: '/account/reports', label: 'Reports' }],
        also: 'report export csv xlsx json cdr records schedule mail download',
      },
      {
        id: 'staff',
        question: 'Can support staff see my account?',
        answer: [
          'Only after they have given a reason and confirmed their identity again, and only for a limited time. Each view and each change is in your activities with their IP address and their reason, and raises an alert.',
        ],
        links: [{ to: '/activities?actor=staff', label: 'What support staff did' }],
        also: 'support backoffice privacy access staff audit',
      },
    ],
  },
  deviceQuestions,
  apiQuestions,
]
