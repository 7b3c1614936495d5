import type { QuestionGroup } from './question.ts'

const assets = { to: '/assets', label: 'Assets' }

/** What people ask of SIMs and assets. */
export const simQuestions: QuestionGroup = {
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
        'Deactivating cuts a running session: we ask the gateway to end it, and repeat the request if it does not answer. If the gateway refuses, you get an alert, and the page of the asset says that its session goes on. After ten tries in about three hours we stop until the session reports again, and the activities say so. An inactive SIM can connect again once you activate it.',
        'Switch off asset, in the same menu, blocks all SIMs of an asset and leaves the state of each as it is. Switch on asset removes that block.',
      ],
      links: [assets],
      also: 'enable disable suspend pause turn on off',
    },
    {
      id: 'views',
      question: 'How do I keep a search of the assets list?',
      answer: [
        'Set the search, filters, order and columns, and choose Save view above the list. It stands there from then on, and its address can be sent to a colleague. A view is yours alone until you share it; whoever may edit assets can share views with the team and change shared ones.',
        'Everybody finds in a view the assets that they see. Watch, in the menu of a shared view, makes a rule that notifies the team when the view is not empty. Copy as curl gives the same list as a command for an API key.',
      ],
      links: [assets],
      also: 'saved filter view watch share columns bookmark curl',
    },
    {
      id: 'as-usual',
      question: 'What does “as usual” mean on the overview?',
      answer: [
        'Each active SIM is compared with its own last weeks, hour by hour, six minutes after the hour is over. It is silent when it sent nothing in an hour of the week in which it usually does, or when it has sent nothing for a day and was never quiet for so long. Refused means that we did not let it onto the network and it sent nothing. Blocked means that a block stood on it when the hour ended.',
        'What is usual of a SIM is known after two days by the hour, and after two weeks by hour and weekday. Until then it is silent when it sends nothing for 24 hours. What an operator refuses before it asks us is not known here.',
        'The range of SIMs that usually work is that of the same hour and weekday in the last four weeks.',
      ],
      links: [{ to: '/', label: 'Overview' }],
      also: 'silent strip last 24 hours verdict refused normal sims work',
    },
    {
      id: 'blocked',
      question: 'Why is my SIM blocked, and what brings its service back?',
      answer: [
        'A block is separate from the state you chose and never changes it. The page of the asset shows each block: since when, set by whom, and what clears it.',
        'What lifts a block is a button at the place where its path breaks: raise the limit for this month alone, accept the device, switch the asset on, or ask support with everything filled in.',
        'A SIM that reached its data limit can connect again at the start of the next month (UTC), or of the next day where its limit is for a day, or when the limit is raised. When the last block is cleared, the SIM has the state you gave it.',
      ],
      links: [{ to: '/assets?sim_status=blocked', label: 'Blocked SIMs' }],
      also: 'no service limit reached stuck cut off data limit imei mismatch staff suspended',
    },
    {
      id: 'states',
      question: 'What do the states of a SIM mean?',
      answer: [
        'Inventory: not yet released to you. Ready: registered and free, and active with its first session, or when its test allowance is used up if your account has one. A SIM that was active once cannot be ready again. Active: it has service. Inactive: you switched it off. Standby: parked, and active again when it connects. Terminated: out of service for ever; you type the whole ICCID for it, and nobody can undo it.',
        'Blocked is shown in place of a state that would have service, while a block stands.',
      ],
      also: 'ready active inactive standby terminated inventory status',
    },
    {
      id: 'imei-lock',
      question: 'How do I lock a SIM to its device?',
      answer: [
        'Choose IMEI lock in the menu of the asset, or of many at once. With These devices alone, any other device is refused when it asks for access, and cut if it is in use. With an alert, nothing is refused, and you are told when the SIM moves to another device. A lock without devices accepts the first that connects.',
        'When the right device comes back, the block goes by itself. If the new device is right, choose Accept device: beside the others, or alone.',
      ],
      links: [assets],
      also: 'imei mismatch stolen sim other device changed accept tac',
    },
    {
      id: 'reset',
      question: 'What does Reset connectivity do?',
      answer: [
        'We ask the gateway to end the open session, so that the device attaches anew by itself. The answer of the gateway appears on the page of the asset. If it refuses or does not answer, we ask three times and say so.',
      ],
      also: 'reconnect restart session reload cancel location stuck',
    },
    {
      id: 'swap',
      question: 'How do I put another SIM into a device, or give an asset away?',
      answer: [
        'Swap SIM in the menu of the asset takes the ICCID of a SIM that your account can register. The asset keeps its name, its tags, its limit, its IMEI lock and its history; the SIM before stays in the list of its SIMs.',
        'Hand over asset takes it off your account. The account you name is notified and can register it by its serial number, and until it does you can take it back in the same way. What the asset used stays with you.',
      ],
      links: [assets],
      also: 'replace sim change broken sell move transfer return stock account',
    },
    {
      id: 'bulk',
      question: 'How do I change many SIMs at once, and undo it?',
      answer: [
        'Select rows of the list, or all that match, and choose what is to be done: the preview says how many would change, and why others would not. Change by file takes a CSV with values for each asset.',
        'A large change goes on in the background, also after a restart, and each asset is changed once. Changes, above the list of assets, shows those of the last 30 days: how far each is, what it did to each asset, and Undo, which brings the assets back to what they were, but for what somebody has changed since, for terminated SIMs, for raised limits, for the configuration of CORE devices, and for SIMs that became active for the first time.',
      ],
      links: [assets],
      also: 'csv upload file mass batch import spreadsheet revert undo limit tags',
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
      id: 'location',
      question: 'Where is my device, and where was it?',
      answer: [
        'The asset shows under “Location” each network and cell that reported it in the last 30 days, as a list and as a map of countries. Between two reports we do not know where it was, and the place of a cell is known to its operator alone: so no point on the map is made up.',
      ],
      links: [assets],
      also: 'place position gps cell tower roaming history map',
    },
    {
      id: 'query',
      question: 'How do I find assets by several things at once?',
      answer: [
        'The search of the list takes words in any order, and conditions: “country:PL silent:>5d (block:any or usage:>1GB)” finds what was last seen in Poland, has been silent for more than five days, and is blocked or used more than 1 GB this month. “not” or - in front turns a condition round, a comma gives several values, quotation marks keep blanks.',
        'You can ask by type, status, state, block, tag, group, pool, limit, usage, silent, seen, country, operator, network (on which it last used data), attention and connection. Many of them are under Filter too, which writes them for you. The address of the page keeps all of it, the export and the changes of many follow it, and the API takes the same line as q.',
        'A column of a spreadsheet can be pasted into the search: up to 10,000 ICCIDs, IMSIs, phone numbers, IMEIs, EIDs or serial numbers. What is found is listed for a day under an address that you can share, and what is unknown is listed with the reason.',
      ],
      links: [assets],
      also: 'search query filter and or not silent never seen country operator usage limit language syntax',
    },
    {
      id: 'fleets',
      question: 'What is a fleet, and what is its pilot?',
      answer: [
        'A fleet is a set of devices that are to run the same: ALPON X4, ALPON X5 AI and Axis GW. Open Fleets, create one, and add devices by their serial numbers, ICCIDs or ids. A device is in one fleet at most; what cannot be added is listed with the reason.',
        'The pilot is the device of the fleet on which what is new is tried first. Choose it in the menu of an asset of the fleet.',
        'Publish what the pilot runs as a version, with its network priority and APN where they are set, and roll it out in phases. The rollout halts by itself when too many devices fail, and starts devices in a maintenance window only if you give it one. Devices that are offline get the version when they are back, and assets that join the fleet later get it too. What failed can be tried again, also once the rollout has finished; the menu of a device in it lists its tries, and why each failed. To go back, roll an older version out: the registry keeps the images of each.',
        'Before it starts, the form says how many devices are offline or have no agent, with a link to these, and how much the devices download for images of your registry, by data pool beside what is left of it, and warns where that is not enough. What a device runs already is not counted, and the size of images of other registries is not known.',
      ],
      links: [{ to: '/alpon-fleets', label: 'Fleets' }],
      also: 'group devices rollout version containers alpon pilot download size',
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
}
