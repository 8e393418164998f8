// Questions over a manual with an outdated list of questions, over incident reports, and over papers on message queues.
import type { Question } from "./rubric.ts";

export const SOFTWARE: readonly Question[] = [
  {
    id: "retention",
    corpus: "holdfast",
    ask: "How long does Holdfast keep snapshots by default, and how do I keep some for a year?",
    facts: [
      { fact: "30 days by default", says: [["30", "thirty"], ["day"]] },
      {
        fact: "new in 2.0; 14 days before",
        says: [
          ["14", "fourteen"],
          ["until", "before", "1.9", "earlier", "instead", "was", "outdated", "older"],
        ],
      },
      {
        fact: "keep_months = 12",
        says: [["keep_months = 12", "keepmonths = 12", "keep_months=12", "keepmonths to 12", "keepmonths at 12"]],
      },
      {
        fact: "365 daily ones cost much index (40 MB each)",
        says: [
          ["40 mb", "index"],
          ["365", "daily"],
        ],
      },
      { fact: "a hold keeps a single snapshot", says: [["hold"], ["never pruned", "single", "one snapshot", "legal"]] },
    ],
    wrong: [
      {
        claim: "14 days is the default now",
        says: [["14 days", "fourteen days"]],
        unless: ["until", "before", "1.9", "earlier", "instead", "was", "outdated", "older", "formerly", "2030"],
      },
    ],
  },
  {
    id: "passphrase",
    corpus: "holdfast",
    ask: "Can a forgotten passphrase of Holdfast be recovered, and what should our team of six do beforehand?",
    facts: [
      {
        fact: "it cannot be recovered",
        says: [["no way", "cannot", "can not", "not be recovered", "no master key", "impossible"]],
      },
      { fact: "up to eight key slots since 2.1", says: [["eight", "8"], ["slot"]] },
      { fact: "a paper key opens the repository", says: [["paper key", "key print"]] },
      {
        fact: "removing a slot does not encrypt anew",
        says: [["remov"], ["anew", "re-encrypt", "reencrypt", "still read", "already stored"]],
      },
    ],
    wrong: [{ claim: "support can open a repository", says: [["support can", "support is able"]] }],
    recommends: { what: "a slot for each and a paper key", says: [["slot"], ["paper"]] },
  },
  {
    id: "restore",
    corpus: "holdfast",
    ask: "How long does a full restore of 2,700 GB take with Holdfast, locally and from an object store, and does the server have to be stopped? How much memory does it need?",
    facts: [
      { fact: "180 GB per hour locally", says: [["180"]] },
      { fact: "45 GB per hour from an object store", says: [["45"], ["object"]] },
      {
        fact: "15 hours locally",
        says: [
          ["15", "fifteen"],
          ["hour", " h"],
        ],
      },
      {
        fact: "60 hours from an object store",
        says: [
          ["60", "sixty"],
          ["hour", " h"],
        ],
      },
      { fact: "the server may stay in use; databases are stopped", says: [["database"], ["stop"]] },
    ],
    wrong: [
      { claim: "the whole server has to be stopped", says: [["server must be stopped", "server has to be stopped"]] },
    ],
    unanswered: [{ what: "memory of a restore", says: [["memory", "ram"]] }],
  },
  {
    id: "upgrade",
    corpus: "holdfast",
    ask: "Which changes from Holdfast 1.9 to 2.1 break our scripts, and what has to be changed in them?",
    facts: [
      {
        fact: "exit code 3 instead of 0",
        says: [
          ["3", "three"],
          ["exit code", "exit status", "exits"],
        ],
      },
      { fact: "--porcelain is gone, --json instead", says: [["porcelain"], ["json"]] },
      { fact: "--fast was removed", says: [["--fast"]] },
      { fact: "default of keep_days 30 instead of 14", says: [["30"], ["14"]] },
      {
        fact: "1.x cannot open an upgraded repository",
        says: [["repositor"], ["older version", "1.x", "cannot open", "upgrad"]],
      },
    ],
    wrong: [
      {
        claim: "exit code 0 for files that could not be read",
        says: [["exit code is 0", "exit code 0"]],
        unless: ["until", "before", "1.9", "was", "earlier", "old", "instead", "no longer"],
      },
    ],
    recommends: {
      what: "check for exit code 3",
      says: [
        ["3", "three"],
        ["exit", "status"],
      ],
    },
  },
  {
    id: "causes",
    corpus: "ledger",
    ask: "What caused each of the outages of the Ledger Gateway in the second quarter, and which causes do they share?",
    facts: [
      { fact: "12 April: expired certificate to the bank", says: [["april"], ["certificate"]] },
      { fact: "7 May: a dropped index", says: [["may"], ["index"]] },
      {
        fact: "3 June: expired certificate to the fraud check",
        says: [["june"], ["certificate"], ["fraud", "expired"]],
      },
      {
        fact: "19 June: lost disk, and no take-over by the standby",
        says: [["june"], ["standby", "failover"], ["host", "renamed", "take over", "took over", "configuration"]],
      },
      {
        fact: "two of four: certificates that expired",
        says: [["two", "both", "2", "twice", "again"], ["certificate"], ["expired", "expir"]],
      },
      { fact: "work was put off for the move", says: [["put off", "postponed", "delayed", "deferred"], ["move"]] },
    ],
    wrong: [
      { claim: "all four were certificates", says: [["all four", "every outage", "each outage"], ["certificate"]] },
    ],
    isTableDue: true,
  },
  {
    id: "downtime",
    corpus: "ledger",
    ask: "How many minutes was the Ledger Gateway down in the second quarter, and was its availability policy kept?",
    facts: [
      { fact: "280 minutes in all", says: [["280"]] },
      { fact: "65 minutes are allowed", says: [["65"]] },
      {
        fact: "the policy was not kept",
        says: [["missed", "not kept", "broken", "exceed", "violated", "more than", "not met", "breach", "failed"]],
      },
      { fact: "7 May was the longest, 135 minutes", says: [["135"], ["longest", "may"]] },
      { fact: "its slowness counts as downtime", says: [["slow"], ["count"]] },
    ],
    wrong: [
      {
        claim: "145 minutes, without 7 May",
        says: [["145"]],
        unless: ["without", "excluding", "except", "other three", "remaining"],
      },
      {
        claim: "the policy was kept",
        says: [["policy was kept", "policy was met", "within the policy"]],
        unless: ["not"],
      },
    ],
  },
  {
    id: "failover",
    corpus: "ledger",
    ask: "Why did the standby not take over on 19 June, who put the failover test off, and what did the outage cost in money?",
    facts: [
      {
        fact: "its configuration named a renamed host",
        says: [
          ["renamed", "old name", "name of a host", "host"],
          ["configuration", "configured"],
        ],
      },
      { fact: "the operations meeting of 22 May", says: [["operations meeting"], ["22 may", "may 22"]] },
      { fact: "because of the move", says: [["move"]] },
      { fact: "last tried in November", says: [["november"]] },
      { fact: "71 minutes, 3,300 customers", says: [["71", "3300"]] },
    ],
    wrong: [
      {
        claim: "Tomasz Rey put it off",
        says: [["tomasz rey"], ["put off", "postponed", "decided"]],
        unless: ["meeting"],
      },
    ],
    unanswered: [{ what: "the cost in money", says: [["cost", "money", "euro", "eur", "financial"]] }],
  },
  {
    id: "crash",
    corpus: "queues",
    ask: "Does a message survive the crash of a node in Beacon, and what do we have to set for orders?",
    facts: [
      { fact: "by default up to 2 seconds are lost", says: [["2 seconds", "two seconds"]] },
      { fact: "memory is the default", says: [["memory"], ["default"]] },
      { fact: "disk loses nothing in a crash", says: [["disk"], ["nothing", "no message", "survive", "safe"]] },
      { fact: "quorum also when a disk is lost, with three nodes", says: [["quorum"], ["three", "3"]] },
    ],
    wrong: [
      {
        claim: "nothing is lost by default",
        says: [["default"], ["nothing is lost", "loses nothing"]],
        unless: ["disk", "quorum"],
      },
    ],
    recommends: { what: "ack = disk or quorum", says: [["disk", "quorum"]] },
  },
  {
    id: "throughput",
    corpus: "queues",
    ask: "How many nodes of Beacon do we need at the peak of the order service if no order may be lost, and why is the figure of the README no help?",
    facts: [
      { fact: "90,000 messages a second at the peak", says: [["90000"]] },
      { fact: "12,500 a node with disk", says: [["12500"]] },
      { fact: "8 nodes with disk", says: [["8", "eight"], ["node"]] },
      { fact: "9 nodes with quorum", says: [["9", "nine"], ["node"]] },
      { fact: "40,000 was with memory and 100 bytes", says: [["40000"], ["100 byte", "100-byte", "memory"]] },
      { fact: "partitions have to be spread evenly", says: [["evenly", "even"], ["partition"]] },
    ],
    wrong: [
      {
        claim: "3 nodes, by the README",
        says: [["3 nodes", "three nodes"]],
        unless: ["quorum", "memory", "not enough", "readme"],
      },
    ],
  },
  {
    id: "comparison",
    corpus: "queues",
    ask: "Compare Beacon and Pelican on order, retention, speed without loss and licence, and say which one the order service should take.",
    facts: [
      { fact: "Pelican keeps the order of a channel", says: [["pelican", "channel"], ["order"]] },
      { fact: "Beacon keeps it within a partition", says: [["partition"], ["order"]] },
      { fact: "Pelican: at most 7 days", says: [["7 days", "seven days"]] },
      { fact: "Beacon: 72 hours", says: [["72"]] },
      { fact: "Pelican: 9,000 a second", says: [["9000"]] },
      { fact: "Beacon: Apache 2.0", says: [["apache"]] },
    ],
    wrong: [{ claim: "Pelican is under Apache 2.0", says: [["pelican"], ["apache"]], unless: ["beacon"] }],
    isTableDue: true,
    recommends: { what: "Beacon", says: [["beacon"]] },
    unanswered: [{ what: "the licence of Pelican", says: [["licen"]] }],
  },
];
