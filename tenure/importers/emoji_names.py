"""Replaces the emoji names of GitHub, which jemoji and Hugo's `enableEmoji` read, by the characters."""

import re
import unicodedata
from collections.abc import Mapping

_NAMED_CHARACTERS: Mapping[str, str] = {
    "+1": "👍", "-1": "👎", "100": "💯", "airplane": "✈️", "alarm_clock": "⏰", "ambulance": "🚑", "apple": "🍎",
    "arrow_down": "⬇️", "arrow_forward": "▶️", "arrow_left": "⬅️", "arrow_right": "➡️", "arrow_up": "⬆️", "art": "🎨",
    "balance_scale": "⚖️", "balloon": "🎈", "bangbang": "‼️", "bank": "🏦", "bar_chart": "📊", "basketball": "🏀",
    "beach_umbrella": "🏖️", "bee": "🐝", "beer": "🍺", "beers": "🍻", "bike": "🚲", "biking_man": "🚴‍♂️",
    "blue_book": "📘", "blue_heart": "💙", "blush": "😊", "boat": "⛵", "book": "📖", "books": "📚", "boom": "💥", "bow": "🙇",
    "briefcase": "💼", "building_construction": "🏗️", "bulb": "💡", "bullettrain_side": "🚄", "bust_in_silhouette": "👤",
    "busts_in_silhouette": "👥", "cake": "🍰", "calendar": "📆", "call_me_hand": "🤙", "camera_flash": "📸", "cat": "🐱",
    "checkered_flag": "🏁", "champagne": "🍾", "chart": "💹", "cherry_blossom": "🌸", "city_sunset": "🌆", "clap": "👏",
    "classical_building": "🏛️", "clinking_glasses": "🥂", "coffee": "☕", "confetti_ball": "🎊", "construction": "🚧", "cool": "🆒",
    "copyright": "©️", "cn": "🇨🇳", "crossed_fingers": "🤞", "cry": "😢", "cyclone": "🌀", "dart": "🎯", "date": "📅", "de": "🇩🇪",
    "desktop_computer": "🖥️", "dizzy": "💫", "dog": "🐶", "dna": "🧬", "e-mail": "📧", "earth_africa": "🌍", "earth_americas": "🌎",
    "earth_asia": "🌏", "email": "📧", "envelope": "✉️", "envelope_with_arrow": "📩", "es": "🇪🇸", "eu": "🇪🇺", "exclamation": "❗",
    "fire": "🔥", "fireworks": "🎆", "fr": "🇫🇷", "gb": "🇬🇧", "gear": "⚙️", "gift": "🎁", "globe_with_meridians": "🌐", "grin": "😁",
    "grinning": "😀", "hammer_and_wrench": "🛠️", "handshake": "🤝", "headphones": "🎧", "heart": "❤️", "heart_eyes": "😍",
    "heavy_check_mark": "✔️", "heavy_exclamation_mark": "❗", "hiking_boot": "🥾", "house": "🏠", "hugs": "🤗", "hushed": "😯",
    "information_source": "ℹ️", "it": "🇮🇹", "joy": "😂", "jp": "🇯🇵", "kissing": "😗", "kr": "🇰🇷", "label": "🏷️", "laughing": "😆",
    "link": "🔗", "lock": "🔒", "mag": "🔍", "mailbox": "📫", "man_technologist": "👨‍💻", "medal_military": "🎖️", "medal_sports": "🏅",
    "mega": "📣", "memo": "📝", "microphone": "🎤", "money_with_wings": "💸", "mortar_board": "🎓", "mountain": "⛰️", "muscle": "💪",
    "musical_keyboard": "🎹", "nerd_face": "🤓", "new": "🆕", "newspaper": "📰", "no_entry": "⛔", "o": "⭕", "office": "🏢", "ok_hand": "👌",
    "open_book": "📖", "package": "📦", "page_with_curl": "📃", "paintbrush": "🖌️", "paperclip": "📎", "partying_face": "🥳", "pen": "🖊️",
    "pencil": "📝", "pencil2": "✏️", "phone": "☎️", "point_down": "👇", "point_left": "👈", "point_right": "👉", "point_up": "☝️",
    "pray": "🙏", "pushpin": "📌", "question": "❓", "raised_hands": "🙌", "rainbow": "🌈", "robot": "🤖", "rotating_light": "🚨",
    "round_pushpin": "📍", "running": "🏃", "scroll": "📜", "seedling": "🌱", "slightly_smiling_face": "🙂", "smile": "😄", "smiley": "😃",
    "smirk": "😏", "snowflake": "❄️", "soccer": "⚽", "sparkle": "❇️", "speech_balloon": "💬", "star": "⭐", "star2": "🌟", "stuck_out_tongue": "😛",
    "sun_with_face": "🌞", "sunglasses": "😎", "sunny": "☀️", "surfer": "🏄", "tada": "🎉", "tea": "🍵", "telephone": "☎️", "thinking": "🤔",
    "thumbsdown": "👎", "thumbsup": "👍", "tm": "™️", "tokyo_tower": "🗼", "train": "🚋", "tv": "📺", "uk": "🇬🇧", "umbrella": "☔", "us": "🇺🇸",
    "v": "✌️", "warning": "⚠️", "wave": "👋", "white_check_mark": "✅", "wink": "😉", "woman_technologist": "👩‍💻", "world_map": "🗺️",
    "wrench": "🔧", "writing_hand": "✍️", "x": "❌", "yum": "😋", "zap": "⚡", "1st_place_medal": "🥇", "2nd_place_medal": "🥈",
    "3rd_place_medal": "🥉", "man_student": "👨‍🎓", "woman_student": "👩‍🎓", "woman_scientist": "👩‍🔬", "man_scientist": "👨‍🔬",
    "computer": "💻", "relaxed": "☺️", "rofl": "🤣", "sweat_smile": "😅", "satellite": "📡", "mouse": "🐭", "whale": "🐳", "snowman": "⛄",
    "black_circle": "⚫", "white_circle": "⚪", "satisfied": "😆", "skier": "⛷️", "man_teacher": "👨‍🏫", "woman_teacher": "👩‍🏫",
    "switzerland": "🇨🇭", "canada": "🇨🇦", "india": "🇮🇳", "netherlands": "🇳🇱", "austria": "🇦🇹", "australia": "🇦🇺",
    "brazil": "🇧🇷", "sweden": "🇸🇪", "singapore": "🇸🇬", "hong_kong": "🇭🇰", "black_nib": "✒️", "film_strip": "🎞️", "video_camera": "📹",
    "studio_microphone": "🎙️", "computer_mouse": "🖱️", "spiral_calendar": "🗓️", "triangular_flag_on_post": "🚩",
}  # fmt: skip
"""Names that are not the name of the character in Unicode. Source: the names of GitHub (gemoji 4)."""

_EMOJI_NAME = re.compile(r":([a-z0-9+][a-z0-9_+-]*|-1):")
_EMOJI_NAMES = re.compile(rf"(?<![\w:/])(?:{_EMOJI_NAME.pattern})+(?![\w:/])")
_FIRST_EMOJI = "\u203c"
"""The first character of Unicode that is an emoji, except for digits and the signs of copyright."""


def replace_emoji_names(text: str) -> str:
    """The text with each known name such as ":tada:" replaced by its character."""
    return _EMOJI_NAMES.sub(
        lambda names: _EMOJI_NAME.sub(lambda name: _find_character(name[1]) or name[0], names[0]), text
    )


def _find_character(name: str) -> str:
    """The character with a name, "" if there is none."""
    if name in _NAMED_CHARACTERS:
        return _NAMED_CHARACTERS[name]
    try:
        character = unicodedata.lookup(name.replace("_", " "))
    except KeyError:
        return ""
    is_symbol = unicodedata.category(character) == "So" and character >= _FIRST_EMOJI
    return character if is_symbol else ""
