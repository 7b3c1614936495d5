import type { QuestionGroup } from './question.ts'

/** What devices do, and who reaches them. */
export const deviceQuestions: QuestionGroup = {
  title: 'Devices and containers',
  questions: [
    {
      id: 'core-deployments',
      question: 'How do I bring many CORE devices into my account?',
      answer: [
        'Under CORE Deployments, create one: it has a token, which you put on all the devices. Each that starts with it sends the ICCID of its SIM and becomes an asset, with the tags and the network group that you chose. The SIMs must be in stock, or in your account already.',
        'A device that is refused is listed with the reason: the deployment is paused, full, expired or revoked, or the SIM is unknown, belongs to another account, or has a device already. It asks again by itself. The screen of a deployment says which names your network must lead to this console.',
      ],
      links: [{ to: '/core-deployments', label: 'CORE Deployments' }],
      also: 'enrol enrolment bulk token raspberry pi jetson agent device install line refused iccid',
    },
    {
      id: 'configure-core',
      question: 'How do I change the configuration of many CORE devices at once?',
      answer: [
        'Under Assets, select them, or all that match, and choose “Configure CORE devices” under More: the preview says how many would be sent the change, and why others would not. What you leave empty stays as it is on each device. A device that is offline gets the change when it is back, and its CORE dashboard says how far it is.',
        'To give each device values of its own, use “Change by file”: its example has a column for each setting. What a device was sent is not undone; send the former values instead.',
      ],
      links: [{ to: '/assets', label: 'Assets' }],
      also: 'core configuration apn priority interval log level bulk csv file many',
    },
    {
      id: 'terminal',
      question: 'How do I open a terminal on a device?',
      answer: [
        'Open the asset, then Device and “Open terminal”. The device has to be online, and you need the permission to open terminals on devices. If the connection breaks, the shell goes on for a minute, and the window shows what it wrote meanwhile. It ends after an hour, or after 10 minutes without a key.',
        'What is shown and typed is recorded, also a password that you type at a prompt. Recordings are kept for 90 days. Who has the permission to open them finds them under Device, and can play, search and download them; that they did so is in the activities. Colleagues can watch an open session there, and you can hand the keyboard over to them.',
      ],
      links: [
        { to: '/terminals', label: 'Terminals' },
        { to: '/activities', label: 'Activities' },
      ],
      also: 'shell ssh console recording replay remote access command line watch',
    },
    {
      id: 'support-on-devices',
      question: 'Can support staff get on my devices?',
      answer: [
        'Only when you allow it. They ask for one device with a reason; you are notified by an alert, and allow it for a time or refuse. While they work you can watch, and end it at once; a second person of support takes part only if you allowed that person the device, too. Afterwards you can play the recording.',
        'If you prefer that nobody waits for you, give standing consent. It can be withdrawn at any time, which ends what is open. For a device with an access code they ask each time all the same.',
      ],
      links: [{ to: '/terminals/support', label: 'Support on your devices' }],
      also: 'remote support consent allow refuse access staff help',
    },
    {
      id: 'device-network',
      question: 'Can a wrong network setting cut a device off?',
      answer: [
        'Under Network of an asset you choose which interface its device uses first, its APN, the PIN that unlocks its SIM, the Wi-Fi networks that it joins, and the profile of its eSIM. The device keeps what it had before, and has 90 seconds to reach this console with the new settings. If it does not, it puts the old ones back by itself, also when it was restarted meanwhile, and the screen says so. It does not try them again until you ask for it.',
        'The device needs NetworkManager for this, and ModemManager for the modem and the PIN; where they are missing the screen says so. For an eSIM it needs the program lpac. A PIN is tried once, and never with the last try that is left.',
      ],
      links: [{ to: '/assets', label: 'Assets' }],
      also: 'apn pin wifi ethernet interface priority order metric undo revert rollback offline lost nmcli modem esim profile activation code lpac',
    },
    {
      id: 'agent-updates',
      question: 'Can the agents on my devices be updated automatically?',
      answer: [
        'Yes: under Profile, Account, “Agent updates”, at any time or in a maintenance window. Devices that are online and run an older agent than this server has are then updated, five at the same time. It is off until you switch it on.',
        'A new version that does not come up within two minutes is left by the device itself. Such a device is left alone for 24 hours, and after three failures in a row no other device is updated: an alert tells you, and “Start again” goes on. Each update, made or failed, is in the activities.',
      ],
      links: [{ to: '/profile?tab=account', label: 'Profile' }],
      also: 'agent update automatic upgrade version maintenance window failed stopped',
    },
    {
      id: 'container-back',
      question: 'What if a new version of a container does not come up?',
      answer: [
        'The device keeps the container before it until the new one has run for 20 seconds, or until its health test is good. Where the engine does not start the new one, or it ends or is unhealthy, the device removes it and runs the one before again. The Application tab says so, with the last lines of its log for whoever may read logs.',
        'It is not tried again by itself. Update the container to another version, or restart it to try the same one once more.',
      ],
      links: [],
      also: 'rollback container update failed crash loop unhealthy previous version downtime',
    },
    {
      id: 'vitals',
      question: 'How long is it kept what a device measured?',
      answer: [
        'Minutes for 7 days, and the mean and the peak of each hour for 90 days. The Device tab of an asset draws them. A rule notifies you when a device is offline, when a container crashes again and again, or when its disk, its temperature, or the average of an hour of its temperature or its processor is above a limit.',
      ],
      links: [{ to: '/notifications?tab=rules', label: 'Rules' }],
      also: 'vitals cpu memory temperature disk history chart alert offline crash loop',
    },
    {
      id: 'retention',
      question: 'How do I clean up the container registry without breaking a device?',
      answer: [
        'Retention rules say which tags stay: the last ones, those pulled lately, those that fit a pattern. “Dry run” shows which tags would go, and why each other stays. Tags that a device runs or a fleet may still roll out always stay, and so do protected ones.',
        'Rules are applied each night, and when you press “Clean up now”. Each clean-up is listed with what it deleted and freed.',
      ],
      links: [{ to: '/registry/retention', label: 'Retention' }],
      also: 'registry images tags delete clean up retention storage quota space',
    },
    {
      id: 'signed-images',
      question: 'How do I see that an image is signed, and what is in it?',
      answer: [
        'Add the public key of your build under “Signing keys”, and sign images with cosign or another tool that attaches its signature to the image. Each tag then says whether its image is signed with one of your keys, and why not.',
        'Attach a list of the packages (SBOM) in SPDX or CycloneDX, and the tag shows them with the known vulnerabilities, their severity, and the version that has them fixed. Where the installation has a scanner, each image that is pushed is scanned too, and “Scan again” asks for it anew: “Found by” says who knows. “Compare” on a tag says what another tag has that this one has not, of the platform that you choose where they are of several.',
      ],
      links: [{ to: '/registry/signing-keys', label: 'Signing keys' }],
      also: 'registry cosign signature verify sbom spdx cyclonedx vulnerability cve advisory scan scanner trivy compare',
    },
  ],
}
