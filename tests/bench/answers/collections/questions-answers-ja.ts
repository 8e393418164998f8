// HOLD-OUT (see ../collection.ts): questions and answers about an operating system, in Japanese, partly in English.
import type { Collection } from "../collection.ts";

export const QUESTIONS_ANSWERS_JA: Collection = {
  name: "questions-answers-ja",
  language: "ja",
  packages: [{ from: "deb", name: "debian-faq-ja", version: "11.1", keep: "usr/share/doc/debian/FAQ/ja/*.html" }],
  answerable: [
    {
      ask: "Debian は誰がいつ始めたのですか?",
      document: "basic-defs.ja.html",
      right: /Ian Murdock さんによって 1993/,
    },
    {
      ask: "フリーソフトウェアの「フリー」は無料という意味ですか?",
      document: "basic-defs.ja.html",
      right: /自由のことを指し、価格のことではありません/,
    },
    {
      ask: "サーバにはどの版を入れるのがよいですか?",
      document: "choosing.ja.html",
      right: /インターネットに公開される場合は安定版|安定性が必要なら安定版/,
    },
    {
      ask: "不安定版から安定版に戻せますか?",
      document: "choosing.ja.html",
      right: /逆方向は「できません」|それは一方向だけ|安定版 \(stable\) へと移行させることはできるかも/,
    },
    {
      ask: "安定版のパッケージはなぜ古いのですか?",
      document: "choosing.ja.html",
      right: /リリース間隔は通常一年を超える|古さはリリースされた時期/,
    },
    {
      ask: "バージョンのコード名はどの映画から取られていますか?",
      document: "ftparchives.ja.html",
      right: /トイストーリー/,
    },
    {
      ask: "トイストーリーの名前を使うと決めた人は誰ですか?",
      document: "ftparchives.ja.html",
      right: /Bruce Perens/,
    },
    {
      ask: "アップグレードすると自分で変えた設定ファイルは上書きされますか?",
      document: "pkg-basics.ja.html",
      right: /パッケージ管理システムが上書きしません|ローカル設定内容が保持/,
    },
    {
      ask: "preinst スクリプトはいつ動きますか?",
      document: "pkg-basics.ja.html",
      right: /展開する前に実行されます/,
    },
    {
      ask: "デーモンを停止するのはどのスクリプトですか?",
      document: "pkg-basics.ja.html",
      right: /デーモンを停止します/,
    },
    {
      ask: "削除を拒否されるのはどんなパッケージですか?",
      document: "pkg-basics.ja.html",
      right: /削除を拒否します|Essential に区分/,
    },
    {
      ask: "更新のときシングルユーザモードにする必要がありますか?",
      document: "uptodate.ja.html",
      right: /実行中のシステムであっても適切にアップグレード/,
    },
    {
      ask: "ダウンロードした deb ファイルは消してもよいですか?",
      document: "uptodate.ja.html",
      right: /システムから削除できます|余計なファイルを削除/,
    },
    {
      ask: "システムを自動で更新するツールはありますか?",
      document: "uptodate.ja.html",
      right: /cron-apt を使うことができます|一定周期で更新します/,
    },
    {
      ask: "何台ものマシンで更新を一度だけダウンロードするには何を使いますか?",
      document: "uptodate.ja.html",
      right: /apt-cacher を使って/,
    },
    {
      ask: "古いカーネルを消しても安全ですか?",
      document: "kernel.ja.html",
      right: /prerm スクリプトは|カーネルイメージのパッケージを削除/,
    },
    {
      ask: "起動時に読み込むモジュールはどのファイルに書きますか?",
      document: "kernel.ja.html",
      right: /\/etc\/modules/,
    },
    {
      ask: "特定のユーザが周辺機器を使えるようにするにはどうしますか?",
      document: "customizing.ja.html",
      right: /グループにそのユーザを追加|adduser ユーザ グループ/,
    },
    {
      ask: "パッケージを作るのに必要な開発環境はどのパッケージで入りますか?",
      document: "software.ja.html",
      right: /build-essential/,
    },
    {
      ask: "使っている Debian のバージョンを調べるにはどうしますか?",
      document: "software.ja.html",
      right: /lsb_release -a|\/etc\/debian_version/,
    },
    {
      ask: "Debian の CD を作って売るには許可が要りますか?",
      document: "redistributing.ja.html",
      right: /許可を得る必要がない|対価を支払う必要は/,
    },
    {
      ask: "パッケージのメンテナに連絡するにはどのアドレスに送りますか?",
      document: "support.ja.html",
      right: /@packages\.debian\.org/,
    },
  ],
  unanswerable: [
    "安定版は何か月のあいだセキュリティ更新を受けられますか?",
    "Debian を腕時計に入れるにはどうしますか?",
    "必須のパッケージは全部で何個ありますか?",
    "dpkg を最初に書いた人は誰ですか?",
    "ノート PC の電池は何時間もちますか?",
    "カーネルのパッケージは何ギガバイト使いますか?",
    "日本の学校では何校が Debian を使っていますか?",
    "スマートフォンの写真を取り込むにはどうしますか?",
    "消してしまった文書を元に戻すにはどうしますか?",
  ],
};
